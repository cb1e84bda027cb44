// Performance marks: the latest moment of each kind, for whoever measures how fast a page is.

export function markLatest(name) {
  performance.clearMarks(name);
  performance.mark(name);
}
