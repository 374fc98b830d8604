# Tables: rows are points, columns are coordinates. Tables.jl need not be there. From Julia 1.9 on an extension tells that it is;
# else it is known by its identity, as Distances.jl is.

const tables_package = Base.PkgId(Base.UUID("bd369af6-aec1-5ad0-b16a-f7cc5008161c"), "Tables")
const told_tables = Ref{Union{Module,Nothing}}(nothing) # by the extension

loaded_tables() = told_tables[] === nothing ? get(Base.loaded_modules, tables_package, nothing) : told_tables[]

function is_table(x)
    tables = loaded_tables()
    tables !== nothing && tables.istable(x)
end

function points_of_table(table, what)
    columns = columns_of_table(table, what)
    n, T = length(columns[1][2]), common_type(columns)
    points = Matrix{T}(undef, length(columns), n)
    for (j, (name, values)) in enumerate(columns)
        length(values) == n ||
            refuse(what, what, " has columns with ", n, " and ", length(values), " rows; expected as many in each")
        T === eltype(values) || check_integers(values, what, " in the column $name")
        points[j, :] = values
    end
    as_copied(points_of(points, what))
end

function columns_of_table(table, what)
    tables = loaded_tables()
    columns = tables.columns(table)
    names = collect(tables.columnnames(columns))
    isempty(names) && refuse(what, what, " has no columns; expected one or more, the coordinates")
    [(name, numbers_of(tables.getcolumn(columns, name), name, what)) for name in names]
end

numbers_of(column::AbstractVector{<:Real}, name, what) = column

# The type of a column may allow for more than the numbers that it has.
function numbers_of(column, name, what)
    for (row, value) in enumerate(column)
        value isa Real ||
            refuse(what, what, " has ", brief(value), " in the column ", name, ", row ", row, "; expected real numbers")
    end
    T = nonmissingtype(eltype(column))
    Vector{T <: Real ? T : Real}(collect(column))
end

# Float64 holds the numbers of columns of several types, whatever their sizes and signs.
function common_type(columns)
    types = unique(eltype(values) for (_, values) in columns)
    length(types) == 1 ? types[1] : Float64
end
