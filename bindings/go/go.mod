module bmo

go 1.19
