/** Words that say what kind of filter stands behind them. */
export const filterKinds = ['project', 'sprint', 'filter', 'assignee', 'jql'] as const;
/** One of them. */
export type FilterKind = (typeof filterKinds)[number];
