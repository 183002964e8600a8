package main

import "fmt"

type edge struct{ to, w int }

type graph struct{ adj [][]edge }

func (g *graph) add(a, b, w int) {
	for len(g.adj) <= max(a, b) {
		g.adj = append(g.adj, nil)
	}
	g.adj[a] = append(g.adj[a], edge{b, w})
	g.adj[b] = append(g.adj[b], edge{a, w})
}

const inf = int(^uint(0) >> 1)

func (g *graph) dijkstra(src int) (dist, prev []int) {
	n := len(g.adj)
	dist, prev = make([]int, n), make([]int, n)
	done := make([]bool, n)
	for i := range dist {
		dist[i], prev[i] = inf, -1
	}
	dist[src] = 0
	for {
		u := -1
		for i := range n {
			if !done[i] && dist[i] < inf && (u < 0 || dist[i] < dist[u]) {
				u = i
			}
		}
		if u < 0 {
			return
		}
		done[u] = true
		for _, e := range g.adj[u] {
			if d := dist[u] + e.w; d < dist[e.to] {
				dist[e.to], prev[e.to] = d, u
			}
		}
	}
}

func (g *graph) bfs(src int, visit func(int)) {
	seen := make([]bool, len(g.adj))
	queue := []int{src}
	seen[src] = true
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		visit(u)
		for _, e := range g.adj[u] {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
}

func (g *graph) dfs(u int, seen []bool, out *[]int) {
	seen[u] = true
	*out = append(*out, u)
	for _, e := range g.adj[u] {
		if !seen[e.to] {
			g.dfs(e.to, seen, out)
		}
	}
}

func path(prev []int, to int) []int {
	if to < 0 {
		return nil
	}
	return append(path(prev, prev[to]), to)
}

type unionFind []int

func (u unionFind) find(x int) int {
	for u[x] != x {
		u[x] = u[u[x]]
		x = u[x]
	}
	return x
}

func (u unionFind) union(a, b int) bool {
	a, b = u.find(a), u.find(b)
	u[a] = b
	return a != b
}

func main() {
	var g graph
	edges := [][3]int{{0, 1, 7}, {0, 2, 9}, {0, 5, 14}, {1, 2, 10}, {1, 3, 15}, {2, 3, 11}, {2, 5, 2}, {3, 4, 6}, {4, 5, 9}, {6, 7, 1}}
	for _, e := range edges {
		g.add(e[0], e[1], e[2])
	}
	dist, prev := g.dijkstra(0)
	for i, d := range dist {
		if d == inf {
			fmt.Println(i, "unreachable")
		} else {
			fmt.Println(i, d, path(prev, i))
		}
	}
	g.bfs(0, func(u int) { fmt.Print(u, " ") })
	fmt.Println()
	var out []int
	g.dfs(0, make([]bool, len(g.adj)), &out)
	fmt.Println(out)
	u := unionFind{0, 1, 2, 3, 4, 5, 6, 7}
	for _, e := range edges {
		fmt.Print(u.union(e[0], e[1]), " ")
	}
	fmt.Println()
}
