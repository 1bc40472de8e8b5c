import { describe, expect, test } from '#jest';
import type { User } from '../../src/model/issue.ts';
import { askAdmin } from '../../src/slack/delegations/rights-words.ts';
import { linkInvitation } from '../../src/slack/messages/link-invitation.ts';
import type { SlackParts } from '../../src/slack/parts.ts';
import type { Accounts } from '../../src/slack/people/accounts.ts';
import { askWhich } from '../../src/slack/people/ask-which.ts';
import { identify } from '../../src/slack/people/identify.ts';
import { linkOther } from '../../src/slack/people/link-other.ts';
import { peopleLinked } from '../support/people-linked.ts';
import { principalOf } from '../support/principal-of.ts';

const line = 'npm run --silent dwell -- people --link U2 --to USERNAME';
const person = { principal: principalOf('U1'), userName: 'ada' };

/** The Slack door of a tracker with two people, of whom the second may be an admin. */
function doorParts({ admin }: { readonly admin: boolean }): SlackParts {
  const users = new Map<string, User>([
    ['ada', { id: 'ada', name: 'Ada' }],
    ['bob', { id: 'bob', name: 'Bob', admin }],
  ]);
  const accounts: Accounts = {
    profileOf: async () => {
      throw new Error('not asked for');
    },
    withEmail: async () => null,
    called: async () => [],
  };
  const people = peopleLinked(users, [{ account: 'U1', user: 'ada', at: 1 }]);
  return { accounts, people, timeZone: 'UTC' } as unknown as SlackParts;
}

async function adaOf(parts: SlackParts) {
  const identified = await identify(person, parts);
  if ('refusal' in identified) throw new Error(identified.refusal.text);
  return identified.member;
}

describe('where nobody is an admin of the tracker, the command line is named instead', () => {
  test('to who has not the right', async () => {
    const command = '`npm run --silent dwell -- delegates --view-all +ada`.';
    const of = async (admin: boolean) => askAdmin(await adaOf(doorParts({ admin })), '--view-all');
    expect(await of(false)).toBe(`That is changed on the command line: ${command}`);
    expect(await of(true)).toBe('Ask an admin to change that.');
    const admin = await adaOf(doorParts({ admin: true }));
    expect(
      askAdmin({ ...admin, principal: { ...admin.principal, rights: 'admin' } }, '--view-all'),
    ).toContain(command);
  });

  test('to who would link somebody', async () => {
    const links = (admin: boolean) => linkOther(person, { account: 'U2', name: 'bob' }, doorParts({ admin }));
    expect((await links(false)).text).toMatch(
      `Dwell knows no admins of the tracker, so who others are is said on the command line: \`${line}\`.`,
    );
    expect((await links(true)).text).toMatch(/^Only an admin can say who others are/);
  });

  test('to who is not known, or asks about somebody who is not', () => {
    const link = 'https://dwell.example/link';
    const invitation = linkInvitation('Who are you?', { link, account: 'U2', hasAdmins: false });
    const nobody = { kind: 'unknown', because: 'Nobody has the address.', similar: [] } as const;
    const asking = { about: 'end', rest: '' } as const;
    const which = askWhich({ account: 'U2' }, nobody, asking, { hasAdmins: false, hints: [] });
    for (const { text } of [invitation, which]) {
      expect(text).toContain(`\`${line}\``);
      expect(text).not.toContain('admin');
    }
  });
});
