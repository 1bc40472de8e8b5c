import { expect, test } from '#jest';
import { splitQuery } from '../../../src/api/reporting/query-text.ts';

test.each([
  ['project = WEB', 'project = WEB', ''],
  ['project = WEB order by "summary" desc', 'project = WEB', 'order by "summary" desc'],
  ['summary ~ "order by x" ORDER BY \'Story Points\'', 'summary ~ "order by x"', "ORDER BY 'Story Points'"],
  ['summary ~ "order by x"', 'summary ~ "order by x"', ''],
  ['summary ~ "🙂" order by key', 'summary ~ "🙂"', 'order by key'],
  ['order by created', '', 'order by created'],
  ['project == WEB order by key', 'project == WEB order by key', ''],
])('%s is cut where its order begins', (jql, filter, order) => {
  expect(splitQuery(jql)).toEqual({ filter, order });
});
