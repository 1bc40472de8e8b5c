import { describe, expect, test } from '#jest';
import type { User } from '../../../src/model/issue.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import type { Accounts } from '../../../src/slack/app/ports.ts';
import { answerCover } from '../../../src/slack/delegates/cover-command.ts';
import { readProfile } from '../../../src/slack/people/accounts.ts';
import { identify } from '../../../src/slack/people/identify.ts';
import { peopleLinked, type ShortLink } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';

const NOON = Date.parse('2026-03-18T12:00:00Z');

/** What ada reads of herself on a day, and the hours that were looked at. */
async function asks(
  rest: string,
  {
    own,
    tz,
    links = [],
    unreachable = false,
  }: { own?: string; tz?: string; links?: readonly ShortLink[]; unreachable?: boolean },
) {
  const ada: User = {
    id: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    ...(own === undefined ? {} : { timeZone: own }),
  };
  const accounts: Accounts = {
    async profileOf(account) {
      if (unreachable) throw new Error('unreachable');
      const user = {
        team_id: 'T1',
        profile: { email: 'ada@example.com' },
        ...(tz === undefined ? {} : { tz }),
      };
      return readProfile(account, user, { team: 'T1', enterprise: null });
    },
    withEmail: async () => null,
    called: async () => [],
  };
  const spans: string[] = [];
  const parts = {
    accounts,
    people: peopleLinked(new Map([['ada', ada]]), links),
    timeZone: 'America/New_York',
    now: () => NOON,
    delegations: {
      categories: async () => [],
      async coverage(_: unknown, span: { from: number; until: number }) {
        spans.push(new Date(span.from).toISOString());
        return { span, delegations: [], uncovered: [], awayToo: [], ending: [] };
      },
    },
  } as unknown as SlackParts;
  const identified = await identify({ principal: principalOf('U1'), userName: 'ada' }, parts);
  if ('refusal' in identified) throw new Error(identified.refusal.text);
  const { member } = identified;
  const { text } = await answerCover({ member, right: 'all' }, ada, rest, parts);
  const [, when] = /^No one covers for you (.*)\.$/.exec(text) ?? [];
  return { when, zone: member.timeZone, from: spans[0] };
}

describe('a day is read in the zone', () => {
  const day = 'on 2026-04-01';

  test('the tracker knows of who asks', async () => {
    expect(await asks(day, { own: 'Asia/Tokyo', tz: 'Europe/Berlin' })).toEqual({
      when: 'on Wed, Apr 1',
      zone: 'Asia/Tokyo',
      from: '2026-03-31T15:00:00.000Z',
    });
  });

  test('else of their Slack, linked or not', async () => {
    const answer = {
      when: 'on Wed, Apr 1',
      zone: 'Europe/Berlin',
      from: '2026-03-31T22:00:00.000Z',
    };
    expect(await asks(day, { tz: 'Europe/Berlin' })).toEqual(answer);
    const links = [{ account: 'U1', user: 'ada', at: 1 }];
    expect(await asks(day, { tz: 'Europe/Berlin', links })).toEqual(answer);
    expect(await asks(day, { own: 'Moon/Sea', tz: 'Europe/Berlin' })).toEqual(answer);
  });

  test('else of the tracker server', async () => {
    const answer = {
      when: 'on Wed, Apr 1',
      zone: 'America/New_York',
      from: '2026-04-01T04:00:00.000Z',
    };
    expect(await asks(day, {})).toEqual(answer);
    expect(await asks(day, { tz: 'Moon/Sea' })).toEqual(answer);
    const links = [{ account: 'U1', user: 'ada', at: 1 }];
    expect(await asks(day, { links, unreachable: true })).toEqual(answer);
  });

  test('which are named for now as well, and for a time', async () => {
    const now = await asks('', { tz: 'Pacific/Auckland' });
    expect(now).toMatchObject({ when: 'now', zone: 'Pacific/Auckland' });
    const time = await asks('on 2026-04-01 14:00', { own: 'Asia/Tokyo' });
    expect(time).toMatchObject({ when: expect.stringContaining('2026-04-01 05:00 UTC'), zone: 'Asia/Tokyo' });
  });
});
