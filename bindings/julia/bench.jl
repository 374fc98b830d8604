# julia --project=bindings/julia bindings/julia/bench.jl BMO POINTS.npy [K [TURNS]]
# What the package adds to a search: the command BMO and the package compute the graph of the same points by turns, both
# prepared, and the least time of each counts; then the package makes a call for each point alone, and the medians are
# printed of the time within libbmo, and of what the package takes beside.
using BMO
using Statistics: median

function command_seconds(command, path, k)
    mktempdir() do directory
        report = joinpath(directory, "report.json")
        run(pipeline(`$command graph $path -k $k --prepare yes --json $report`; stdout=devnull))
        parse(Float64, match(r"\"query_ms\": *([0-9.e+-]+)", read(report, String))[1]) / 1000
    end
end

function package_seconds(ds, k)
    stats = Ref{Stats}()
    seconds = @elapsed knngraph(ds, k; stats=stats)
    seconds, stats[].seconds
end

function call_seconds(ds, k, i)
    stats = Ref{Stats}()
    seconds = @elapsed knngraph(ds, k; subset=i:i, stats=stats)
    stats[].seconds, seconds - stats[].seconds
end

milliseconds(seconds) = string(round(1000 * seconds; digits=2), " ms")
microseconds(seconds) = string(round(1e6 * seconds; digits=1), " us")
percent(part, whole) = string(round(100 * part / whole; sigdigits=2), " %")

function compare(command, path, k=5, turns=9)
    ds = prepare(Dataset(path; mmap=true))
    println(ds, ", k = ", k, ", ", BMO.instruction_set())
    call_seconds(ds, k, 1) # compiles
    by_command, by_package, within = Inf, Inf, Inf
    for _ in 1:turns
        by_command = min(by_command, command_seconds(command, path, k))
        by_package, within = min((by_package, within), package_seconds(ds, k))
    end
    println("graph, least of ", turns, ": command ", milliseconds(by_command), ", Julia ", milliseconds(by_package),
            ", of which libbmo ", milliseconds(within), ", added ", percent(by_package - within, within))
    calls = [call_seconds(ds, k, i) for i in 1:size(ds)[2]]
    library, beside = median(first.(calls)), median(last.(calls))
    println("a call a point, medians of ", length(calls), ": libbmo ", microseconds(library), ", Julia beside it ",
            microseconds(beside), ", added ", percent(beside, library))
end

compare(ARGS[1], ARGS[2], parse.(Int, ARGS[3:end])...)
