import { expect, test } from '#jest';
import { titleWithoutQuery } from '../../../src/questions/view/subject-words.ts';

const query = 'project in (WEB, OPS) AND key != OPS-1 AND assignee = "Ada King"';

test.each([
  [query, 'the filter'],
  [`${query} last month`, 'the filter last month'],
  [`weekly jql ${query}`, 'weekly jql the filter'],
  [query.replaceAll('"', '“').replaceAll(' ', '  '), 'the filter'],
  [`${query.slice(0, 59)}… last month`, 'the filter last month'],
  [`${query.slice(0, 59)}…`, 'the filter'],
  ['WEB, OPS', 'WEB, OPS'],
  ['assignee me', 'assignee me'],
])('%s', (title, told) => {
  expect(titleWithoutQuery(title, query, 'the filter')).toBe(told);
});

test('a title stays where there is no query, and where it is empty', () => {
  expect(titleWithoutQuery('WEB', null, 'the filter')).toBe('WEB');
  expect(titleWithoutQuery('everything', '', 'the filter')).toBe('everything');
});
