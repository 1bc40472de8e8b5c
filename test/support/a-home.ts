import { marked } from '../../src/slack/answers/view/marked-wording.ts';
import { escapeMrkdwn } from '../../src/slack/blocks/mrkdwn.ts';
import type { HomeContent, Section } from '../../src/slack/home/gather-home.ts';
import { aDelegation } from './a-delegation.ts';
import { aDigest } from './a-digest.ts';
import { aWatch } from './a-watch.ts';
import { anAging, anAgingIssue, aWeeklyAnswer } from './an-answer.ts';

/** How much there is on a Home tab; everything may be left out. */
interface HomeInput {
  /** How many of each kind there are. */
  readonly count?: number;
  /** What everything is called. */
  readonly name?: string;
}

/** An instant of the week after the one that is shown. */
export const homeAt = Date.parse('2026-11-18T12:00:00Z');

/** A part that is known. */
export function known<Value>(value: Value): Section<Value> {
  return { state: 'known', value };
}

/** A week of a project with this name. */
export function aWeekOf(project: string) {
  return { project, weekly: aWeeklyAnswer().value };
}

/** A Home tab of which everything is known: Ada's, who covers for Bob and is covered by Carl. */
export function aHome({ count = 2, name = 'Basket' }: HomeInput = {}): HomeContent {
  const many = <One>(make: (index: number) => One) =>
    Array.from({ length: count }, (_, index) => make(index));
  const issues = many((index) => anAgingIssue(`WEB-${index + 1}`, 20 + index, { summary: name, link: null }));
  const delegation = (from: string, to: string) =>
    aDelegation(from).to(to).from('2026-11-18T09:00Z').until('2026-11-21T00:00Z').delegation;
  return {
    at: homeAt,
    isFirst: false,
    who: known({ kind: 'known', name, login: 'ada', admin: true } as const),
    assigned: known({
      mine: {
        own: anAging(issues),
        covered: many((index) => ({
          person: { id: `p${index}`, name },
          category: name,
          aging: anAging(issues.slice(0, 100)),
        })),
      },
      snoozed: 0,
    }),
    cover: known({
      self: 'ada',
      zonesOf: () => ['UTC'],
      delegations: [...many(() => delegation('bob', 'ada')), ...many(() => delegation('ada', 'carl'))],
      hasGaps: count > 0,
      person: (id) => marked.person({ id, name }),
      category: () => escapeMrkdwn(name.slice(0, 60)),
    }),
    weeks: known({ weeks: many(() => aWeekOf(name)).slice(0, 5), chosen: true }),
    scheduled: known({
      digests: many((index) => aDigest(`d${index}`, { title: name })),
      watches: many((index) => aWatch(`w${index}`, { title: name, status: { id: '4', name } })),
      isPaused: false,
    }),
    facts: known({
      calendar: name,
      timeZone: 'UTC',
      exampleKey: 'WEB-1',
      ground: { tracker: name, dataAsOf: homeAt - 60_000 },
    }),
    sync: known(null),
  };
}
