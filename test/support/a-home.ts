import type { HomeContent, Section } from '../../src/slack/home/home-content.ts';
import { aDelegation } from './a-delegation.ts';
import { aDigest } from './a-digest.ts';
import { aWatch } from './a-watch.ts';
import { anAging, anAgingIssue, aWeeklyAnswer } from './an-answer.ts';
import { anExport } from './an-export.ts';

/** How much there is to tell on a Home tab; everything may be left out. */
interface HomeWish {
  /** How many of each kind there are. */
  readonly count?: number;
  /** What everything is called. */
  readonly name?: string;
}

/** An instant of the week after the one that is told. */
export const homeAt = Date.parse('2026-11-18T12:00:00Z');

/** A part that is known. */
export function known<Value>(value: Value): Section<Value> {
  return { state: 'known', value };
}

/** A week of a project with this name. */
export function aWeekOf(project: string) {
  return { project, weekly: aWeeklyAnswer().value };
}

/** A Home tab of which everything is known: Ada's, who stands in for Bob and is stood in for by Carl. */
export function aHome({ count = 2, name = 'Basket' }: HomeWish = {}): HomeContent {
  const many = <One>(make: (index: number) => One) =>
    Array.from({ length: count }, (_, index) => make(index));
  const issues = many((index) => anAgingIssue(`WEB-${index + 1}`, 20 + index, { summary: name, link: null }));
  const delegation = (from: string, to: string) =>
    aDelegation(from).to(to).from('2026-11-18T09:00Z').until('2026-11-20T17:00Z').delegation;
  const span = { from: homeAt, until: homeAt + 14 * 86_400_000 };
  return {
    at: homeAt,
    who: known({ kind: 'known', name, login: 'ada', admin: true } as const),
    waiting: known({
      own: anAging(issues),
      covered: many((index) => ({
        person: { id: `p${index}`, name },
        category: name,
        aging: anAging(issues.slice(0, 100)),
      })),
    }),
    usual: 'known',
    cover: known({
      person: 'ada',
      coverage: {
        span,
        delegations: [...many(() => delegation('bob', 'ada')), ...many(() => delegation('ada', 'carl'))],
        uncovered: many(() => ({ ...span, person: 'ada', categoryId: null, reason: 'gap' as const })),
        awayToo: many(() => ({
          ...span,
          person: 'ada',
          delegate: 'carl',
          categoryId: null,
          standIns: ['bob'],
        })),
        ending: [],
      },
      names: { person: () => name.slice(0, 60), category: () => name.slice(0, 60) },
    }),
    weeks: known({
      weeks: many(() => aWeekOf(name)).slice(0, 5),
      chosen: true,
      more: Math.max(0, count - 5),
    }),
    telling: known({
      digests: many((index) => aDigest(`d${index}`, { title: name })),
      watches: many((index) => aWatch(`w${index}`, { title: name, status: { id: '4', name } })),
    }),
    files: known({
      files: many((index) => ({
        title: name,
        record: anExport(`e${index}`, { state: 'Successful', message: name }),
      })).slice(0, 3),
      more: Math.max(0, count - 3),
    }),
    facts: known({
      calendar: name,
      timeZone: 'UTC',
      exampleKeys: ['WEB-1'],
      ground: { tracker: name, dataAsOf: homeAt - 60_000 },
    }),
    sync: known(null),
  };
}
