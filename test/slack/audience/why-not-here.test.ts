import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { AllowedProject } from '../../../src/model/chat.ts';
import type { AudienceScope, BrowseScope } from '../../../src/model/permissions.ts';
import type { Outsiders } from '../../../src/slack/audience/outsiders.ts';
import { whoAllows } from '../../../src/slack/audience/who-allows.ts';
import { whyNotHere } from '../../../src/slack/audience/why-not-here.ts';
import { principalOf } from '../../support/principal-of.ts';

const silent: Outsiders = { kind: 'unknown', because: 'Slack is silent.', passes: true };
const guests: Outsiders = { kind: 'some', what: 'has guests' };
const shared: Outsiders = { kind: 'some', what: 'is shared with other workspaces' };
const none: Outsiders = { kind: 'none' };

const about = (...projects: string[]): AudienceScope => ({ projects, issues: 4, withLevel: 0 });
const allowed = (...keys: string[]): AllowedProject[] => keys.map((key) => ({ key, withGuests: false }));
const allowedWithGuests = (...keys: string[]): AllowedProject[] =>
  keys.map((key) => ({ key, withGuests: true }));

/** A channel with what is known of it; OPS is the one project that is not open to everybody. */
const reasons = (
  contents: AudienceScope | null,
  {
    projects = null,
    outsiders = none,
    scope = { closedProjects: ['OPS'], openLevels: [], everything: false },
    admin = true,
  }: {
    projects?: readonly AllowedProject[] | null;
    outsiders?: Outsiders;
    scope?: BrowseScope;
    admin?: boolean;
  } = {},
  channel = 'C0WEB',
) =>
  whyNotHere(contents, channel, {
    channels: {
      channel: async () => ({
        ...{ channel, timeZone: null, calendar: null, projects, unfurls: false },
        ...{ changedBy: null, changedAt: null },
      }),
    },
    channelFacts: { outsidersIn: async () => outsiders },
    people: { tenant: 'default', users: async () => new Map([['ada', { id: 'ada', name: 'Ada', admin }]]) },
    reporting: {
      browseScope: async (principal) => {
        expect(principal).toEqual(principalOf(''));
        return scope;
      },
    },
  });

describe('without a list', () => {
  test('open projects may be told where only people of the workspace read', async () => {
    expect(await reasons(about('APP', 'WEB'))).toEqual([]);
  });

  test('a closed project may not, and an admin is told what to type', async () => {
    expect(await reasons(about('OPS', 'WEB'))).toEqual([
      '`OPS` is not open to everybody who may ask.',
      'An admin of the tracker can open it to this channel: `/tis audience allow OPS`.',
    ]);
  });

  test('where the tracker itself decides that is said, and what is needed', async () => {
    const scope = { openProjects: [], openIssues: [] };
    expect(await reasons(about('LARK', 'WEB'), { scope })).toEqual([
      'The tracker itself decides who may see what, so nothing is shared here before an admin has said what this channel may read of.',
      'An admin of the tracker does so with `/tis audience allow LARK,WEB`.',
    ]);
    expect(await reasons(about('LARK'), { scope, projects: allowed('LARK') })).toEqual([]);
  });

  test('where the tracker tells of no admins whoever runs Dwell is told the whole line to type', async () => {
    const line = '`npm run --silent dwell -- audience C0WEB allow LARK WEB`';
    const scope = { openProjects: [], openIssues: [] };
    const here = about('LARK', 'WEB');
    const curesOf = async (of: Parameters<typeof reasons>[1]) =>
      (await reasons(here, { ...of, admin: false })).slice(1);
    expect(await curesOf({ scope })).toEqual([`Whoever runs Dwell does so with ${line}.`]);
    expect(await curesOf({ projects: [] })).toEqual([`Whoever runs Dwell can add them: ${line}.`]);
    expect(await curesOf({ outsiders: guests })).toEqual([
      `Whoever runs Dwell can allow it all the same: ${line.slice(0, -1)} --with-guests\`.`,
    ]);
    expect(await reasons({ ...about('LARK'), withLevel: null }, { admin: false })).toContain(
      'Where all issues of the project may be read by everybody here, whoever runs Dwell can say so: `npm run --silent dwell -- audience C0WEB allow LARK`.',
    );
  });

  test.each([true, false])(
    'a line for very many projects stays one that can be typed (admins: %s)',
    (some) => {
      const keys = Array.from({ length: 21 }, (_, i) => `P${i}`);
      expect(whoAllows('C0WEB', some).line(keys, false)).toMatch(/ allow PROJECT[ ,]PROJECT`$/);
    },
  );

  test.each([
    [guests, 'This channel has guests'],
    [shared, 'This channel is shared with other workspaces'],
    [silent, 'I do not know whether guests can read this channel. Slack is silent.'],
  ])('%j: nothing may be told', async (outsiders, lead) => {
    const [first, cure, ...more] = await reasons(about('WEB'), { outsiders });
    expect(first).toContain(lead);
    expect(cure).toContain('`/tis audience allow WEB with guests`');
    expect(more).toEqual([]);
  });

  test('nothing is said of an answer without any issue either where guests read', async () => {
    expect(await reasons({ projects: [], issues: 0, withLevel: 0 }, { outsiders: guests })).not.toEqual([]);
  });
});

describe('with a list', () => {
  test('its projects may be told, closed ones too', async () => {
    expect(await reasons(about('OPS', 'WEB'), { projects: allowed('OPS', 'WEB') })).toEqual([]);
  });

  test('others may not, and all that are missing are named', async () => {
    expect(await reasons(about('APP', 'OPS', 'WEB'), { projects: allowed('WEB') })).toEqual([
      '`APP`, `OPS` are not among the projects this channel may read of.',
      'An admin of the tracker can add them: `/tis audience allow APP,OPS`.',
    ]);
  });

  test.each([guests, shared, silent])(
    '%j: only projects allowed with guests may be told',
    async (outsiders) => {
      const projects = [...allowedWithGuests('WEB'), ...allowed('APP')];
      expect(await reasons(about('WEB'), { projects, outsiders })).toEqual([]);
      const refused = await reasons(about('APP', 'WEB'), { projects, outsiders });
      expect(refused.join(' ')).toContain('`/tis audience allow APP with guests`');
    },
  );
});

test('an issue with a security level is never told, whatever the list says', async () => {
  const projects = allowedWithGuests('WEB');
  const one = { projects: ['WEB'], issues: 1, withLevel: 1 };
  expect(await reasons(one, { projects })).toEqual([
    'The issue has a security level, so it is not for everybody here.',
  ]);
  expect(await reasons({ ...one, issues: 9 }, { projects })).toEqual([
    '1 of the 9 issues has a security level, so it is not for everybody here. A filter with `AND level is EMPTY` leaves such issues out.',
  ]);
  expect(await reasons({ ...one, issues: 9, withLevel: 2 })).toEqual([
    '2 of the 9 issues have a security level, so they are not for everybody here. A filter with `AND level is EMPTY` leaves such issues out.',
  ]);
});

test('neither is one that is restricted to roles', async () => {
  const some = { projects: ['WEB'], issues: 9, withLevel: 2 };
  expect(await reasons({ ...some, issues: 1, withLevel: 1, withRoles: 1 })).toEqual([
    'The issue is restricted to roles, so it is not for everybody here.',
  ]);
  expect(await reasons({ ...some, withRoles: 2 })).toEqual([
    '2 of the 9 issues are restricted to roles, so they are not for everybody here. A filter with `AND issuerestriction is EMPTY` leaves such issues out.',
  ]);
  expect(await reasons({ ...some, withRoles: 1 })).toEqual([
    '2 of the 9 issues have a security level or are restricted to roles, so they are not for everybody here. A filter with `AND level is EMPTY AND issuerestriction is EMPTY` leaves such issues out.',
  ]);
});

test('what nobody can tell the contents of is never told', async () => {
  expect(await reasons(null, { projects: allowedWithGuests('WEB') })).toEqual([
    'Nobody can tell which projects this is about, so it is for you alone.',
  ]);
});

test('in the conversation with the app, by its id or the account, everything may be told', async () => {
  for (const channel of ['D0ADA', 'U0ADA', 'W0ADA']) {
    expect(await reasons({ projects: ['OPS'], issues: 1, withLevel: 1 }, {}, channel)).toEqual([]);
    expect(await reasons(null, {}, channel)).toEqual([]);
  }
});

test('in a conversation of two people without the app nothing is told', async () => {
  const outsiders: Outsiders = { kind: 'some', what: 'is a conversation without me' };
  expect(await reasons(about('WEB'), { outsiders }, 'D0OTHERS')).toEqual([
    'I have no part in this conversation, so I can tell nothing to both of you.',
  ]);
});

test('whatever is in it and whoever reads there: told only if every project is allowed to all of them', async () => {
  const key = fc.constantFrom('APP', 'OPS', 'WEB');
  const list = fc.option(
    fc.uniqueArray(fc.record({ key, withGuests: fc.boolean() }), { selector: (one) => one.key }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(key, { minLength: 1 }),
      fc.nat({ max: 2 }),
      list,
      fc.constantFrom(none, guests, shared, silent),
      async (projects, withLevel, allowedHere, outsiders) => {
        const may = projects.every((project) => {
          if (allowedHere === null) return project !== 'OPS' && outsiders.kind === 'none';
          return allowedHere.some(
            (one) => one.key === project && (one.withGuests || outsiders.kind === 'none'),
          );
        });
        const told = await reasons({ projects, issues: 2, withLevel }, { projects: allowedHere, outsiders });
        expect(told.length === 0).toBe(may && withLevel === 0);
      },
    ),
  );
});
