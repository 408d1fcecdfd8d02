//! Circles in a graph whose nodes are numbers.

use crate::work;

/// Which nodes lie on a circle: those that are reached again by following edges from themselves. `edges` has, for each
/// node, the nodes it leads to.
///
/// Tarjan's search with a stack of its own, so that no chain is too long: one step for each node and each edge.
pub(crate) fn on_circles(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut search = Search {
        edges,
        nodes: vec![None; edges.len()],
        path: Vec::new(),
        open: Vec::new(),
        entered: 0,
        on_circle: vec![false; edges.len()],
    };
    for start in 0..edges.len() {
        search.from(start);
    }
    search.on_circle
}

/// What is known of a node that was entered.
#[derive(Clone, Copy)]
struct Node {
    /// How many were entered before it.
    order: usize,
    /// The least order of an open node that is reached from it.
    lowest: usize,
    /// Whether its component is still being found.
    is_open: bool,
}

struct Search<'e> {
    edges: &'e [Vec<usize>],
    nodes: Vec<Option<Node>>,
    /// From the start to where the search is, each with the number of its edges that were followed.
    path: Vec<(usize, usize)>,
    /// Nodes whose component is still being found, in the order of entering.
    open: Vec<usize>,
    entered: usize,
    on_circle: Vec<bool>,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        if self.node(start).is_none() {
            self.enter(start);
        }
        while let Some((node, followed)) = self.path.last_mut() {
            work::step();
            let (node, edge) = (*node, self.edges.get(*node).and_then(|edges| edges.get(*followed)).copied());
            *followed += 1;
            match edge.map(|inner| (inner, self.node(inner))) {
                Some((inner, None)) => self.enter(inner),
                Some((_, Some(inner))) if inner.is_open => self.lower(node, inner.order),
                Some(_) => {}
                None => self.leave(node),
            }
        }
    }

    fn node(&self, node: usize) -> Option<Node> {
        self.nodes.get(node).copied().flatten()
    }

    fn enter(&mut self, node: usize) {
        if let Some(place) = self.nodes.get_mut(node) {
            *place = Some(Node { order: self.entered, lowest: self.entered, is_open: true });
            self.entered += 1;
            self.path.push((node, 0));
            self.open.push(node);
        }
    }

    fn lower(&mut self, node: usize, order: usize) {
        if let Some(node) = self.nodes.get_mut(node).and_then(Option::as_mut) {
            node.lowest = node.lowest.min(order);
        }
    }

    fn leave(&mut self, node: usize) {
        self.path.pop();
        let Some(Node { order, lowest, .. }) = self.node(node) else { return };
        if let Some((outer, _)) = self.path.last() {
            self.lower(*outer, lowest);
        }
        if lowest == order {
            self.close(node);
        }
    }

    /// Takes the component that was entered at `root` off the open nodes. More than one node is a circle, or one that
    /// leads to itself.
    fn close(&mut self, root: usize) {
        let from = self.open.iter().rposition(|node| *node == root).unwrap_or(self.open.len());
        let component = self.open.split_off(from);
        let is_circle = component.len() > 1 || self.edges.get(root).is_some_and(|edges| edges.contains(&root));
        for node in component {
            if let Some(Some(node)) = self.nodes.get_mut(node) {
                node.is_open = false;
            }
            if let Some(place) = self.on_circle.get_mut(node) {
                *place = is_circle;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As it was before: from each node a walk over all that it reaches.
    fn by_walking(edges: &[Vec<usize>]) -> Vec<bool> {
        let reaches_itself = |start: usize| {
            let (mut open, mut reached) = (edges[start].clone(), vec![false; edges.len()]);
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut reached[node], true) {
                    open.extend(&edges[node]);
                }
            }
            reached[start]
        };
        (0..edges.len()).map(reaches_itself).collect()
    }

    proptest! {
        #[test]
        fn circles_are_those_that_walking_finds(
            edges in (1_usize..9).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..4), n..=n))
        ) {
            prop_assert_eq!(on_circles(&edges), by_walking(&edges));
        }
    }

    fn steps_of_a_chain(length: usize, closed: bool) -> u64 {
        let mut edges: Vec<Vec<usize>> =
            (1..=length).map(|next| if next < length { vec![next] } else { vec![] }).collect();
        if closed {
            edges[length - 1].push(0);
        }
        let (found, steps) = work::count(|| on_circles(&edges));
        assert!(found.iter().all(|on_circle| *on_circle == closed));
        steps
    }

    #[test]
    fn a_chain_costs_a_step_for_each_node_and_edge_however_long() {
        for length in [4_000, 16_000, 1_000_000] {
            assert_eq!(steps_of_a_chain(length, false), 2 * length as u64 - 1);
            assert_eq!(steps_of_a_chain(length, true), 2 * length as u64);
        }
    }
}
