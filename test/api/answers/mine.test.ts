import { afterEach, describe, expect, test } from '#jest';
import type { Mine } from '../../../src/api/answers/aging/aging-answer.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import type { DelegationApi } from '../../../src/api/delegations/delegation-api.ts';
import type { Delegation } from '../../../src/model/delegation.ts';
import type { Directory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import type { MeasuredQuestion } from '../../../src/model/question.ts';
import type { AudienceScope } from '../../../src/model/request.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords } from '../../support/local-records.ts';
import { principalOf } from '../../support/principal-of.ts';
import { anOffice, refusal } from '../delegations/an-office.ts';
import { at, cut, peopledReporting, through, withPerson } from './a-team.ts';
import { teamAnswers } from './team-answers.ts';

afterEach(closeLocalRecords);

const now = at('03-03T12:00');
const bob = principalOf('bob');
const question: MeasuredQuestion = { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' };

const of = (number: number, person: string | null) => withPerson(through(number, '03-02T08:00 3'), person);
const done = withPerson(through(9, '03-01T08:00 3', '03-02T08:00 5'), 'bob');
const was = of(8, 'carl');
const handedOn: Issue = {
  ...was,
  changes: [
    {
      entry: '1',
      item: 0,
      at: at('03-02T09:00'),
      field: 'assignee',
      from: { id: 'bob', name: 'bob' },
      to: { id: 'carl', name: 'carl' },
      by: null,
    },
  ],
};

interface Office {
  readonly issues: readonly Issue[];
  readonly delegations?: readonly Delegation[];
  readonly directory?: Partial<Directory>;
  readonly api?: DelegationApi | undefined;
}

async function mineOf({ issues, delegations = [], directory = {}, api }: Office, principal = bob) {
  const { mine, contents, isEmpty } = await toldOf({ issues, delegations, directory, api }, principal, null);
  return { ...keysOf(mine), contents, isEmpty };
}

async function toldOf(
  { issues, delegations = [], directory = {}, api }: Office,
  principal: typeof bob,
  asOf: number | null,
) {
  const office = await anOffice({ delegations, now });
  const { answers } = await teamAnswers({
    reporting: peopledReporting(issues, () => now, directory),
    now: () => now,
    delegations: api ?? office.api,
    people: { ada: 'Ada', bob: 'Bob', carl: 'Carl', dora: 'Dora' },
  });
  const { value: mine, contents, isEmpty } = await answers.ask(mineKind, principal, question, asOf);
  return { mine, contents, isEmpty };
}

function keysOf({ own, covered }: Mine): { own: readonly string[]; covered: readonly unknown[] } {
  return {
    own: own.issues.map(({ key }) => key),
    covered: covered.map(({ person, category, aging }) => [
      person.name,
      category,
      aging.issues.map(({ key }) => key),
    ]),
  };
}

const ofWeb = (issues: number): AudienceScope => ({
  projects: issues === 0 ? [] : ['WEB'],
  issues,
  withLevel: 0,
});

test('open issues that are with the principal wait on the principal, and no others', async () => {
  expect(await mineOf({ issues: [of(1, 'bob'), of(2, 'carl'), of(3, null), done, handedOn] })).toEqual({
    own: ['WEB-1'],
    covered: [],
    contents: ofWeb(1),
    isEmpty: false,
  });
  expect(await mineOf({ issues: [done, handedOn] })).toMatchObject({
    own: [],
    isEmpty: true,
    contents: ofWeb(0),
  });
});

describe('of issues whose history is cut', () => {
  /** Nothing is known of it until its last change, an hour ago. */
  const lost = (number: number, person: string | null, status: string) => {
    const story = through(number, '03-01T08:00 1', '03-02T08:00 4', [now - 3_600_000, status]);
    return withPerson(cut(story, 0, 1), person);
  };
  const issues = [lost(1, 'bob', '3'), lost(2, 'carl', '3'), lost(3, null, '3'), lost(4, 'ada', '5')];
  const delegations = [aDelegation('carl').to('bob').delegation];

  test('whom they are with now and whether they are done the tracker shows, so that nobody doubts it', async () => {
    const { mine } = await toldOf({ issues, delegations }, bob, null);
    expect(keysOf(mine)).toEqual({ own: ['WEB-1'], covered: [['Carl', 'general', ['WEB-2']]] });
    for (const { unclear, provenance } of [mine.own, ...mine.covered.map(({ aging }) => aging)]) {
      expect([unclear, provenance.undecided]).toEqual([[], 0]);
    }
  });

  test('nobody can tell whom they were with in the time that is lost: they are named once, and why', async () => {
    const { mine, contents, isEmpty } = await toldOf(
      { issues: [...issues, of(5, null)], delegations },
      bob,
      now - 2 * 3_600_000,
    );
    expect(keysOf(mine)).toEqual({ own: [], covered: [['Carl', 'general', []]] });
    const reason =
      'its assignee at that time is unknown: its history is not complete: moved in from elsewhere';
    expect(mine.own.unclear).toEqual(['WEB-4', 'WEB-3', 'WEB-2', 'WEB-1'].map((key) => ({ key, reason })));
    expect(mine.covered.map(({ aging }) => aging.unclear)).toEqual([[]]);
    expect([contents, isEmpty]).toEqual([ofWeb(4), false]);
  });
});

test('so do those of everybody the principal stands in for now, each person told once', async () => {
  const { covered, contents } = await mineOf({
    issues: [of(1, 'bob'), of(2, 'carl'), of(3, 'ada'), of(4, 'dora')],
    delegations: [
      aDelegation('carl').to('bob').in(1).delegation,
      aDelegation('carl').to('bob').in(2).delegation,
      aDelegation('ada').to('bob').delegation,
      aDelegation('ada').to('bob').in(1).delegation,
      aDelegation('dora').to('bob').until('2026-03-03T10:00Z').delegation,
      aDelegation('dora').to('carl').delegation,
    ],
  });
  expect(covered).toEqual([
    ['Ada', 'general', ['WEB-3']],
    ['Carl', 'Expense, Approval', ['WEB-2']],
  ]);
  expect(contents).toEqual(ofWeb(3));
});

test('who is covered for everything is so however a register writes that', async () => {
  const delegations = [
    aDelegation('carl').to('bob').delegation,
    aDelegation('carl').to('bob').in(1).delegation,
  ];
  const { api } = await anOffice({ delegations, now });
  const capital: DelegationApi = {
    ...api,
    async delegatorsOf(question) {
      const found = await api.delegatorsOf(question);
      return found.category === 'general' ? { ...found, category: 'General' } : found;
    },
  };
  const { covered } = await mineOf({ issues: [of(2, 'carl')], delegations, api: capital });
  expect(covered).toEqual([['Carl', 'general', ['WEB-2']]]);
});

test('issues of somebody who is covered are seen with the rights of the principal', async () => {
  const directory = { access: [{ kind: 'project', id: 'WEB', viewers: ['carl'] }] } as const;
  const office = {
    issues: [of(2, 'carl')],
    delegations: [aDelegation('carl').to('bob').delegation],
    directory,
  };
  const { own, covered, isEmpty } = await mineOf(office);
  expect([own, isEmpty]).toEqual([[], true]);
  expect(JSON.stringify(covered)).not.toContain('WEB-2');
});

test('whoever may not know of delegations is told of their own issues alone', async () => {
  const { api } = await anOffice({ now }, { permissions: { view: [] } });
  expect(await mineOf({ issues: [of(1, 'bob')], api })).toMatchObject({ own: ['WEB-1'], covered: [] });
});

test('when delegations cannot be asked for, nobody pretends that there are none', async () => {
  const { api } = await anOffice({ now });
  const away = { ...api, categories: async () => Promise.reject(new Error('away')) };
  await expect(mineOf({ issues: [of(1, 'bob')], api: away })).rejects.toThrow('away');
});

test('an account that the tracker does not know has no issues', async () => {
  expect(await refusal(mineOf({ issues: [] }, principalOf('U123')))).toEqual([
    'not-found',
    'Your account is not a Jira user, so no issue is assigned to you.',
  ]);
});
