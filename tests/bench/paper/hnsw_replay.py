"""The searches of an hnswlib index once more, in Python, to count the distances that they compute."""
import heapq

import numpy as np


class Graph:
    """Links and vectors from the state that hnswlib pickles."""

    def __init__(self, index):
        state = index.__getstate__()[0] if isinstance(index.__getstate__(), tuple) else index.__getstate__()
        n, size = state["cur_element_count"], state["size_data_per_element"]
        rows = state["data_level0"].view(np.uint8).reshape(-1, size)[:n]
        self.base = rows[:, :state["offset_data"]].copy().view(np.uint32)
        self.vectors = rows[:, state["offset_data"]:state["label_offset"]].view(np.float32)
        self.labels = rows[:, state["label_offset"]:].copy().view(np.uint64)[:, 0].astype(np.int64)
        self.levels, self.entry, self.top = state["element_levels"], state["enterpoint_node"], state["max_level"]
        self.width = state["size_links_per_element"] // 4
        self.upper = state["link_lists"].view(np.uint8).view(np.uint32).reshape(-1, self.width)
        self.starts = np.concatenate([[0], np.cumsum(self.levels)])
        self.counted = 0

    def neighbors(self, node, level):
        row = self.base[node] if level == 0 else self.upper[self.starts[node] + level - 1]
        return row[1:1 + (row[0] & 0xFFFF)].astype(np.int64)

    def distances(self, nodes, query):
        self.counted += len(nodes)
        apart = self.vectors[nodes] - query
        return np.einsum("ij,ij->i", apart, apart)

    def descended(self, query):
        """The node from which layer 0 is searched: in each layer above, on to the nearest neighbor while that is nearer."""
        node, nearest = self.entry, self.distances([self.entry], query)[0]
        for level in range(self.top, 0, -1):
            moved = True
            while moved:
                links = self.neighbors(node, level)
                apart = self.distances(links, query)
                best = apart.argmin() if len(links) else 0
                moved = len(links) > 0 and apart[best] < nearest
                if moved:
                    node, nearest = links[best], apart[best]
        return int(node), float(nearest)

    def best_first(self, query, ef):
        """The ef nearest that a best-first search of layer 0 finds, as (distance, node)."""
        node, nearest = self.descended(query)
        self.distances([node], query)  # hnswlib computes that of its start again
        seen, open_nodes, kept = {node}, [(nearest, node)], [(-nearest, node)]
        while open_nodes:
            nearest, node = heapq.heappop(open_nodes)
            if nearest > -kept[0][0]:
                break
            links = [link for link in self.neighbors(node, 0) if link not in seen]
            seen.update(links)
            for apart, link in zip(self.distances(links, query), links) if links else ():
                if len(kept) < ef or apart < -kept[0][0]:
                    heapq.heappush(open_nodes, (apart, link))
                    heapq.heappush(kept, (-apart, link))
                    if len(kept) > ef:
                        heapq.heappop(kept)
        return sorted((-apart, node) for apart, node in kept)

    def search(self, queries, k, ef):
        """Distances computed, and the k nearest of each query by label."""
        self.counted = 0
        found = [[self.labels[node] for _, node in self.best_first(query, ef)[:k]] for query in queries]
        return self.counted, np.array(found)
