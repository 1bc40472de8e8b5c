import { expect, test } from '#jest';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { aWorld, issueWith } from './a-world.ts';
import { ordered, refusal } from './ask.ts';

const value = (id: string, name = id) => ({ id, name });

const world = aWorld({
  issues: [
    issueWith(
      'WEB-10',
      { priority: value('1', 'High'), customfield_1: 5, duedate: '2026-03-05' },
      { created: '2026-03-03T00:00:00Z' },
    ),
    issueWith(
      'WEB-9',
      { priority: value('3', 'Low'), customfield_1: 13, labels: [value('b')] },
      { created: '2026-03-04T00:00:00Z' },
    ),
    issueWith(
      'APP-2',
      { priority: value('3', 'Low'), duedate: '2026-03-04', labels: [value('A')] },
      { created: '2026-03-01T00:00:00Z' },
    ),
    issueWith('APP-11', { customfield_1: 5, duedate: '2026-03-04' }, { created: '2026-03-04T00:00:00Z' }),
  ],
});

test.each([
  ['order by key', ['APP-2', 'APP-11', 'WEB-9', 'WEB-10']],
  ['order by key desc', ['WEB-10', 'WEB-9', 'APP-11', 'APP-2']],
  ['order by created', ['APP-11', 'WEB-9', 'WEB-10', 'APP-2']],
  ['order by created asc', ['APP-2', 'WEB-10', 'APP-11', 'WEB-9']],
  ['order by priority asc', ['APP-2', 'WEB-9', 'WEB-10', 'APP-11']],
  ['order by priority', ['APP-11', 'WEB-10', 'APP-2', 'WEB-9']],
  ['order by cf[1]', ['APP-11', 'WEB-10', 'WEB-9', 'APP-2']],
  ['order by cf[1] desc', ['APP-2', 'WEB-9', 'APP-11', 'WEB-10']],
  ['order by due asc, cf[1] desc', ['APP-2', 'APP-11', 'WEB-10', 'WEB-9']],
  ['order by labels', ['APP-2', 'WEB-9', 'APP-11', 'WEB-10']],
  ['order by project desc, key asc', ['WEB-9', 'WEB-10', 'APP-2', 'APP-11']],
  ['order by status', ['APP-2', 'APP-11', 'WEB-9', 'WEB-10']],
])('%s', (jql, keys) => {
  expect(ordered(jql, world)).toEqual(keys);
});

test('what is empty comes last ascending and first descending, whatever the others are called', () => {
  const issues = [
    issueWith('A-1', { labels: [] }),
    issueWith('A-2', { labels: [value('zebra')] }),
    issueWith('A-3', { labels: [value('ant')] }),
  ];
  expect(ordered('order by labels', aWorld({ issues }))).toEqual(['A-3', 'A-2', 'A-1']);
  expect(ordered('order by labels desc', aWorld({ issues }))).toEqual(['A-1', 'A-2', 'A-3']);
});

test('a query without an order has none', () => {
  expect(compileJql('project = WEB', world).order).toBeNull();
});

test('the two parts of a query are handed back as they were written', () => {
  const { where, orderBy } = compileJql(
    ' (project = WEB OR  summary ~ "😀 x") and key = WEB-9 Order  By created,key desc ',
    world,
  );
  expect({ where, orderBy }).toEqual({
    where: '(project = WEB OR  summary ~ "😀 x") and key = WEB-9',
    orderBy: 'Order  By created,key desc',
  });
  expect(compileJql('order by key', world).where).toBe('');
  expect(compileJql('', world)).toMatchObject({ where: '', orderBy: null });
});

test.each([
  ['order by nothing', "'nothing' at position 9 is not a field"],
  ['order by text', "'text' at position 9 cannot be ordered by"],
  ['order by filter', "'filter' at position 9 cannot be ordered by"],
])('%s is refused', (jql, why) => {
  expect(refusal(jql, world)).toContain(why);
});
