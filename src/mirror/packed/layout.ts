/**
 * How an issue lies in its bytes: the creation as a double and the last update, then as counts which optional parts there are and how long
 * the three parts are, then the parts: what every issue has, its fields, its changes.
 */
export const has = { id: 1, link: 2, resolved: 4, assignee: 8, wholeHistory: 16 } as const;

/** What a text begins with; from `term` on it is a text's number. */
export const textAs = { narrow: 0, wide: 1, digits: 2, term: 3 } as const;

/** What a value begins with; from `term` on it is a value's number. */
export const valueAs = { none: 0, itself: 1, term: 2 } as const;

/** What a field's content begins with; from `term` on it is a value's number. */
export const contentAs = {
  none: 0,
  number: 1,
  text: 2,
  list: 3,
  value: 4,
  summary: 5,
  created: 6,
  updated: 7,
  resolved: 8,
  term: 9,
} as const;

/** In what a change is like the one before it; `item`: the next of the same entry, or the first of another. */
export const sameAs = { entry: 1, at: 2, by: 4, item: 8 } as const;

/** The number of a change's field stands above these. */
export const SAME_AS_ALL = 16;
