import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { CreditedDelegates } from '../../../src/api/delegations/delegation-api.ts';
import { createPageLists } from '../../../src/api/reporting/load-page.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { ask, type Page, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { trackerOf } from './tracker-of.ts';

const begin = Date.parse('2026-03-06T00:00:00Z');

/** Pages of three issues; what is known of who stood in is replaced between them, and each question takes an hour. */
function aWorld() {
  const issues = ['WEB-1', 'WEB-2', 'WEB-3'].map((key) => anIssue(key, '2026-03-02T00:00:00Z').issue);
  let now = begin;
  const mirror = createMemoryMirror(trackerOf(issues), () => begin);
  const pages = createPageLists({ stored: inMemory, now: () => now });
  const questions: string[] = [];
  const asked: (number | null)[] = [];
  const keeping = {
    ...pages,
    put: (...told: Parameters<typeof pages.put>) => {
      questions.push(told[0].question);
      return pages.put(...told);
    },
  };
  const pageOf = async (page: Page, known: string, choices: Partial<ReportRequest> = {}) => {
    const credited: CreditedDelegates = {
      times: () => [],
      categories: ['general'],
      revision(until) {
        asked.push(until);
        return known;
      },
    };
    const at = now;
    now += millisecondsInHour;
    return localReporting(mirror, () => at, { pages: keeping, credited }).report(
      ask({
        principal: principalOf('ada', 'admin'),
        reportType: 'assigneeDuration',
        selection: { by: 'jql', jql: 'order by key' },
        creditDelegates: [],
        page,
        ...choices,
      }),
    );
  };
  return { pageOf, questions, asked };
}
const first = { by: 'token', token: null, size: 1 } as const;

test('delegations that were changed between two pages make another question of a token', async () => {
  const { pageOf, asked } = aWorld();
  const { page } = await pageOf(first, 'before');
  const second = await pageOf({ ...first, token: page?.next ?? null }, 'before');
  expect(second.issues.map(({ key }) => key)).toEqual(['WEB-2']);
  await expect(pageOf({ ...first, token: page?.next ?? null }, 'after')).rejects.toMatchObject({
    code: 'bad-request',
    reason: 'conflicting-values',
    details: [
      `nextPageToken '${page?.next}' belongs to another question. Try: the parameters, the calendar and the delegations of the page before, unchanged.`,
    ],
  });
  // What began after the instant the pages speak of does not count, however late a page is asked for.
  expect(asked).toEqual([begin, begin, begin]);
});

test('pages by index begin anew once delegations were changed, and speak of one instant until then', async () => {
  const { pageOf, asked } = aWorld();
  const at = async (start: number, known: string) =>
    (await pageOf({ by: 'index', start, size: 1 }, known)).provenance.asOf;
  expect(await at(0, 'before')).toBe(begin);
  expect(await at(1, 'before')).toBe(begin);
  expect(await at(2, 'after')).toBe(begin + 2 * millisecondsInHour);
  expect(asked).toEqual([null, null, null]);
});

test('delegations count up to the instant that is asked about', async () => {
  const { pageOf, asked } = aWorld();
  await pageOf({ by: 'index', start: 0, size: 1 }, 'before', { asOf: begin - millisecondsInHour });
  await pageOf(first, 'before', { asOf: begin - millisecondsInHour });
  expect(asked).toEqual([begin - millisecondsInHour, begin - millisecondsInHour]);
});

test('categories asked for in another way are another question', async () => {
  const { pageOf } = aWorld();
  const { page } = await pageOf(first, 'same');
  const next = { ...first, token: page?.next ?? null };
  await expect(pageOf(next, 'same', { creditDelegates: ['general'] })).rejects.toThrow('Bad request');
  await expect(pageOf(next, 'same', { creditDelegates: null })).rejects.toThrow('Bad request');
});

test('a question that credits nobody reads as it did before anybody could be credited', async () => {
  const { pageOf, questions, asked } = aWorld();
  const plain = { creditDelegates: null };
  const { page } = await pageOf(first, 'before', plain);
  expect(questions).toEqual(['q8YBqa61mbQNVajKJgJQ5d2mhCuVhEpWJ0jgXAufRLE']);
  await pageOf({ ...first, token: page?.next ?? null }, 'after', plain);
  expect(asked).toEqual([]);
});
