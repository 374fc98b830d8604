bmo info glyphs.npy.gz

# The nearest others of every picture; 48 is that of the letter Q.
bmo graph glyphs.npy.gz -k 4 --metric l1 --names glyphs.tsv --out neighbors.csv
head -n 1 neighbors.csv
grep '^48,' neighbors.csv

# Points and what is prepared for them, in a file that later searches map into memory.
bmo prepare glyphs.npy.gz --metric l1 --out glyphs.bmo
bmo medoid glyphs.bmo --metric l1 --names glyphs.tsv
