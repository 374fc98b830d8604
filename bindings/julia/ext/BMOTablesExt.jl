# Julia 1.9 and newer load this where both packages are loaded.
module BMOTablesExt

import BMO, Tables

__init__() = BMO.told_tables[] = Tables

end
