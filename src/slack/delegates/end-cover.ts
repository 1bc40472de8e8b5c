import type { ActionsBlock } from '@slack/types';
import { z } from 'zod';
import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { SlackAction, SlashCommand } from '../app/handler-types.ts';
import {
  button,
  namesOf,
  notice,
  type Words,
  withZone,
  wordsAnywhere,
  wordsIn,
} from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { usageRefusal } from '../app/show-failure.ts';
import type { Member } from '../people/accounts.ts';
import { askWhich } from '../people/ask-which.ts';
import { personTyped } from '../people/find-person.ts';
import { identify } from '../people/identify.ts';
import { notifyBothSides } from './cover-news.ts';
import { type Admitted, admit, askAdmin, delegationLine } from './cover-words.ts';
import { listAll } from './own-cover.ts';

/** `/delegates end`: what can be ended, each with a button. */
export const delegatesEnd: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'end',
  usage: '/delegates end [@PERSON]',
  summary: 'end what you have handed over; both sides are told',
  examples: ['/delegates end @bob'],
  details:
    'Lists what runs and what comes, each with a button. What runs ends with the running minute; what has not begun is called off. PERSON is whose work it is, for who may edit all; without one your own is listed.',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const split = await personTyped(asked.text, member, parts);
    if (split === null) return [await listToEnd(admitted, member.user, parts)];
    if (split.rest !== '') return [usageRefusal(split.rest, delegatesEnd.usage)];
    const { found } = split;
    if (found.kind === 'known') return [await listToEnd(admitted, found.user, parts)];
    if (right !== 'edit') return [refuseToEnd(member)];
    const asking = { about: 'end', rest: '' } as const;
    return [askWhich(split.person, found, asking, { hasAdmins: member.hasAdmins, hints: [] })];
  },
};

/** *End* beside a delegation; its value is the id. Who has pressed it twice is told that it has ended already. */
export const endDelegation: SlackAction<DelegationParts> = {
  id: 'end-delegation',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { principal, user, timeZone } = identified.member;
    const users = await parts.people.users();
    const names = namesOf(users, await parts.delegations.categories(principal));
    const { delegation, already } = await endCoverOnce({ principal, id: Number(click.value) }, parts);
    const at = parts.now();
    const line = delegationLine(delegation, at, wordsIn(timeZone, at, names));
    if (already) {
      const what = delegation.active ? 'This has ended already' : 'This has been called off already';
      return [withZone(lineBlocks([`${what}: ${line}`]), timeZone)];
    }
    const event = delegation.active ? 'ended' : 'called off';
    const told = await notifyBothSides(
      {
        delegation,
        event,
        by: user.id,
        accounts: new Map([[user.id, click.principal.account]]),
        users,
        words: wordsAnywhere(names),
      },
      parts,
    );
    const lines = [`${delegation.active ? 'Ended' : 'Called off'}: ${line}`, told];
    return [withZone(lineBlocks(lines), timeZone)];
  },
};

/** What somebody may end of what a person has handed over; with a place in the list only what stands behind it. */
export async function listToEnd(
  { member, right }: Admitted,
  person: User,
  parts: DelegationParts,
  place: LaterThan | null = null,
): Promise<Message> {
  const { delegations, people, now } = parts;
  if (person.id !== member.user.id && right !== 'edit') return refuseToEnd(member);
  const all = await listAll(member.principal, { delegator: person.id }, delegations);
  const found = place === null ? all : all.filter((one) => isLater(one, place));
  const names = namesOf(await people.users(), await delegations.categories(member.principal));
  const at = now();
  const list = endList(found, {
    person: person.id,
    at,
    words: wordsIn(member.timeZone, at, names),
    goesOn: place !== null,
    toRest: ({ start, id }) => writeLaterThan({ person: person.id, start, id }),
  });
  return found.length === 0 ? list : withZone(list, member.timeZone);
}

/** The same whether there is such a person or not. */
function refuseToEnd(member: Member): Message {
  return notice(
    'You do not have permission to edit delegations of other users.',
    '`@PERSON` is whose work it is, not who stands in: `/delegates end` lists what you have handed over.',
    askAdmin(member, '--edit-all'),
  );
}

/** A hosted register lets two end the same one at the same time, and both sides would be told twice. */
const mutex = createLimitByKey<number>(1);

/** A delegation that does not hold any more; `already` where it did not before either. */
interface Ended {
  readonly delegation: Delegation;
  readonly already: boolean;
}

/** What somebody's click ends. */
interface EndInput {
  readonly principal: Principal;
  readonly id: number;
}

/**
 * Ends a delegation, unless that was done before. Where the register leaves open whether the end is saved, the record
 * tells.
 */
function endCoverOnce(
  { principal, id }: EndInput,
  { delegations, now }: { readonly delegations: DelegationApi; readonly now: () => Instant },
): Promise<Ended> {
  const isOver = ({ active, end }: Delegation) => !active || end <= now();
  return mutex(id, async () => {
    const kept = await delegations.delegation(principal, id);
    if (isOver(kept)) return { delegation: kept, already: true };
    try {
      return { delegation: await delegations.end(principal, id), already: false };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
      const saved = await delegations.delegation(principal, id).catch(() => null);
      if (saved === null || !isOver(saved)) throw error;
      return { delegation: saved, already: false };
    }
  });
}

/** What the button to the rest of a list carries: whose delegations they are, and behind which one they begin. */
const laterThan = z.object({ person: z.string(), start: z.number(), id: z.number() });
/** The same as a value. */
type LaterThan = z.infer<typeof laterThan>;

/** As a button's value. */
export function writeLaterThan({ person, start, id }: LaterThan): string {
  return JSON.stringify({ person, start, id });
}

/** From a button's value; only we write those. */
export function readLaterThan(value: string): LaterThan {
  return laterThan.parse(JSON.parse(value));
}

/** Whether a delegation stands behind that place in the order of start and id, whatever has ended meanwhile. */
export function isLater(delegation: Delegation, { start, id }: LaterThan): boolean {
  return delegation.start > start || (delegation.start === start && delegation.id > id);
}

const SHOWN = 15;
/** A message takes about thirteen thousand; the buttons and what they ask count as well. */
const LINE_CHARACTERS = 9_000;

/** Whose delegations are listed, at which instant; words are escaped. */
interface EndListView {
  readonly person: string;
  readonly at: Instant;
  readonly words: Words;
  /** Earlier ones have been listed before. */
  readonly goesOn: boolean;
  /** What the button to the rest carries, for the last one that is shown. */
  readonly toRest: (last: Delegation) => string;
}

/** Running and coming delegations of one person by their start, each with a button that ends it, and one to the rest. */
export function endList(delegations: readonly Delegation[], story: EndListView): Message {
  const { person, at, words, goesOn, toRest } = story;
  const who = `*${words.person(person)}*`;
  if (delegations.length === 0) {
    return goesOn
      ? notice(`${who} has handed over nothing later that could end.`)
      : notice(`${who} has handed over nothing that could end.`, '`/delegates set` hands something over.');
  }
  const shown = fitting(delegations, (one) => delegationLine(one, at, words));
  const rest = delegations.length - shown.length;
  const last = shown.at(-1);
  const lead = goesOn ? `What ${who} has handed over later:` : `What ${who} has handed over, now and later:`;
  const more = `… and ${rest} later ${rest === 1 ? 'one' : 'ones'}.`;
  return {
    text: [lead, ...shown.map(({ line }) => line), ...(rest > 0 ? [more] : [])].join('\n'),
    blocks: [
      section(lead),
      ...shown.map(({ delegation, line }) => ({ ...section(line), accessory: endButton(delegation, at) })),
      ...(rest > 0 && last !== undefined ? [context(more), laterButton(toRest(last.delegation))] : []),
    ],
  };
}

/** The first ones, as many as there is room for; at least one. */
function fitting(delegations: readonly Delegation[], toLine: (one: Delegation) => string) {
  const shown = delegations.slice(0, SHOWN).map((delegation) => ({ delegation, line: toLine(delegation) }));
  let characters = 0;
  const most = shown.findIndex(({ line }) => {
    characters += line.length;
    return characters > LINE_CHARACTERS;
  });
  return most < 0 ? shown : shown.slice(0, Math.max(1, most));
}

function laterButton(value: string): ActionsBlock {
  return { type: 'actions', elements: [button('Later ones', 'list-later', value)] };
}

function endButton({ id, start }: Delegation, at: Instant) {
  const begun = start <= at;
  return {
    ...button('End', 'end-delegation', String(id)),
    style: 'danger',
    confirm: {
      title: plain(begun ? 'End this now?' : 'Call this off?'),
      text: plain('Both sides are told in a direct message.'),
      confirm: plain(begun ? 'End it' : 'Call it off'),
      deny: plain('Keep it'),
      style: 'danger',
    },
  } as const;
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

/** *Later ones* below what can be ended: the next part of the list. */
export const listLater: SlackAction<DelegationParts> = {
  id: 'list-later',
  async run(click, parts) {
    const place = readLaterThan(click.value);
    const admitted = await admit(click, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const person = (await parts.people.users()).get(place.person);
    if (person === undefined) return [notice('The tracker does not know this person any more.')];
    return [await listToEnd(admitted, person, parts, place)];
  },
};
