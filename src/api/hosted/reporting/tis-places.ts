/**
 * What the service can be asked, by the paths under which it may be found: that of the contract first, then the one
 * that the running product has.
 */
export const tisPlaces = {
  issue: ['/rest/issue'],
  expanded: ['/rest/issue/expanded'],
  list: ['/rest/issues', '/rest/list'],
  pages: ['/rest/issues/v2', '/rest/list2'],
  aggregation: ['/rest/issues/aggregation', '/rest/aggregation'],
  exportStart: ['/rest/export/status', '/rest/export'],
  exports: ['/rest/export', '/rest/export/status'],
  statuses: ['/rest/statuses'],
  calendars: ['/rest/calendars', '/rest/calendar'],
  parameterSets: ['/rest/reportSettings', '/rest/parameterSets'],
  formats: ['/rest/formatSettings'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of them. */
export type TisPlace = keyof typeof tisPlaces;

/** Reports that take their parameters as a form as well. */
const formPlaces: readonly TisPlace[] = ['list', 'pages', 'aggregation'];

/** Whether long parameters may be sent as a form. */
export function takesForm(place: TisPlace): boolean {
  return formPlaces.includes(place);
}
