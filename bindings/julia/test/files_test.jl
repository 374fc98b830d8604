# How NumPy writes an n x d array in C order: a point a row.
function write_npy(path, X, descr)
    header = "{'descr': '$descr', 'fortran_order': False, 'shape': ($(size(X, 2)), $(size(X, 1))), }"
    padded = rpad(header, 117) * "\n"
    open(path, "w") do file
        write(file, UInt8[0x93], "NUMPY", UInt8[1, 0], UInt16(length(padded)), padded, X)
    end
end

case("files of NumPy") do
    mktempdir() do directory
        X = clusters(50, 40)
        path = joinpath(directory, "points.npy")
        for (T, descr) in ((Float64, "<f8"), (Float32, "<f4"))
            write_npy(path, T.(X), descr)
            for mmap in (false, true)
                ds = surely(path; mmap=mmap, metric=:l1)
                @test size(ds) == (50, 40) && BMO.info(ds).type === T
                @test (BMO.info(ds).bytes_borrowed > 0) == mmap
                @test agree(knngraph(ds, 3), brute_graph(X, 3, :l1))
                turned = surely(path; mmap=mmap, transpose=true, metric=:l1)
                @test size(turned) == (40, 50) && agree(knngraph(turned, 3), brute_graph(X', 3, :l1))
            end
        end
        changed = Dataset(path; mmap=true)
        write_npy(path, fill(NaN32, 50, 40), "<f4")
        refused(() -> subset(changed, [7]), r"^points: the value of point 1, coordinate 1 is nan"; status=:BMO_ENONFINITE)
        write_npy(path, Float32.(X), "<f4")
        phases = []
        Dataset(path; progress=(phase, done, total) -> push!(phases, phase))
        @test issubset([:read], phases)
        stop = ErrorException("stop")
        @test caught(() -> Dataset(path; progress=(_...) -> throw(stop))) === stop
    end
end

case("files that cannot be read") do
    mktempdir() do directory
        path = joinpath(directory, "none.npy")
        refused(() -> Dataset(path), r"none\.npy"; status=:BMO_EIO)
        write(path, UInt8[0x93], "NUMPY", UInt8[1, 0])
        refused(() -> Dataset(path), r"none\.npy"; status=:BMO_EFORMAT)
        refused(() -> Dataset("a\0b"), "path is \"a\\0b\"; expected a text without NUL")
        refused(() -> Dataset(path; p=-1), r"^p is -1")
        write_npy(path, [1.0 NaN; 2 3], "<f8")
        refused(() -> Dataset(path), r"point 2, coordinate 1 is nan"; status=:BMO_ENONFINITE)
        @test caught(() -> Dataset(path)).argument == "path"
        ragged = joinpath(directory, "ragged.ivecs")
        write(ragged, Int32[1, 7, 2, 8, 9])
        refused(() -> Dataset(ragged), r": vector 2 has length 2; expected 1"; status=:BMO_EFORMAT)
    end
end

case("files of its own") do
    mktempdir() do directory
        X, path = clusters(300, 40), joinpath(directory, "points.bmo")
        plain = surely(Float32.(X); metric=:l1, seed=5)
        for ds in (plain, prepare(plain; box=:dense), surely(sparse(X); metric=:l1), prepare(surely(X; seed=5); box=:rotated))
            metric = BMO.info(ds).box === :rotated ? :l2 : :l1
            save(path, ds)
            for mmap in (false, true)
                opened = surely(path; mmap=mmap, seed=5)
                told, wanted = BMO.info(opened), BMO.info(ds)
                @test (told.box, told.sparse, told.type) == (wanted.box, wanted.sparse, wanted.type)
                @test (told.bytes_borrowed > 0) == mmap
                @test BMO.points(opened, [7]) == X[:, 7:7]
                @test agree(knngraph(opened, 3; metric=metric), brute_graph(X, 3, metric))
            end
        end
        weighted = prepare(plain; weights=1:300)
        save(path, weighted)
        refused(() -> knngraph(Dataset(path), 1),
                "the dataset was prepared with other weights: set those, or prepare it again with these")
        @test knngraph(Dataset(path; weights=1:300, metric=:l1), 2) == knngraph(weighted, 2)
        @test readdir(directory) == ["points.bmo"]
        stop = ErrorException("stop")
        @test caught(() -> save(path, plain; progress=(_...) -> throw(stop))) === stop
        @test size(Dataset(path)) == (300, 40)
        refused(() -> save(directory, plain), r"is a directory"; status=:BMO_EIO)
        refused(() -> save(joinpath(directory, "a", "b.bmo"), plain), r"cannot be created"; status=:BMO_EIO)
        refused(() -> save("a\0b", plain), "path is \"a\\0b\"; expected a text without NUL")
    end
end
