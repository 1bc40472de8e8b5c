import type { DelegationApi, DelegationQuery } from '../../api/delegations/delegation-api.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import { categoriesText, namesOf, type Words, withZone, wordsIn } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { usageRefusal } from '../app/show-failure.ts';
import { admit, notesText, peopleText, periodText } from './cover-words.ts';

/** `/delegates mine`: what somebody has handed over, and whom they stand in for. */
export const delegatesMine: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'mine',
  usage: '/delegates mine',
  summary: 'what you have handed over, and whom you stand in for',
  details: 'Both lists: what is in force now, and what comes later.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, delegatesMine.usage)];
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { principal, user, timeZone } = admitted.member;
    const { delegations, people, now } = parts;
    const handedOver = await listAll(principal, { delegator: user.id }, delegations);
    const standingIn = await listAll(principal, { delegate: user.id }, delegations);
    const names = namesOf(await people.users(), await delegations.categories(principal));
    const at = now();
    const own = { handedOver, standingIn, at, words: wordsIn(timeZone, at, names) };
    return [withZone(ownDelegations(own), timeZone)];
  },
};

const LINES_EACH = 12;

/** One's own delegations, neither over nor inactive; words are escaped. */
interface OwnDelegations {
  readonly handedOver: readonly Delegation[];
  readonly standingIn: readonly Delegation[];
  readonly at: Instant;
  readonly words: Words;
}

/** What somebody has handed over and whom they stand in for, now and later. */
export function ownDelegations({ handedOver, standingIn, at, words }: OwnDelegations): Message {
  const own = (one: Delegation) => `${peopleText(one.delegates, words)} for you`;
  const others = (one: Delegation) => `you for *${words.person(one.delegator)}*`;
  return lineBlocks([
    ...part('You have handed over', handedOver, own),
    ...(handedOver.length === 0
      ? ['Hand something over with `/delegates set`.']
      : ['End one with `/delegates end`.']),
    ...part('You stand in', standingIn, others),
  ]);

  function part(title: string, all: readonly Delegation[], who: (one: Delegation) => string): string[] {
    if (all.length === 0) return [`*${title}*: nothing.`];
    const line = (one: Delegation) =>
      `• ${who(one)}: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}${notesText(one.notes)}`;
    return [
      `*${title} now*`,
      ...someLines(
        all.filter(({ start }) => start <= at),
        line,
      ),
      `*${title} later*`,
      ...someLines(
        all.filter(({ start }) => start > at),
        line,
      ),
    ];
  }
}

function someLines(all: readonly Delegation[], line: (one: Delegation) => string): readonly string[] {
  if (all.length === 0) return ['• nothing'];
  const more = all.length - LINES_EACH;
  return [...all.slice(0, LINES_EACH).map(line), ...(more > 0 ? [`… and ${more} more`] : [])];
}

const PAGE = 1_000;

/** Every active delegation that is not over and fits, by its start. */
export async function listAll(
  principal: Principal,
  who: Pick<DelegationQuery, 'delegator'> | Pick<DelegationQuery, 'delegate'>,
  delegations: Pick<DelegationApi, 'delegations'>,
): Promise<readonly Delegation[]> {
  const found: Delegation[] = [];
  for (let start = 0; ; ) {
    const query = {
      delegator: null,
      delegate: null,
      includeExpired: false,
      notes: '',
      start,
      size: PAGE,
      ...who,
    };
    const { values, total } = await delegations.delegations(principal, query);
    found.push(...values);
    start += values.length;
    if (values.length === 0 || start >= total) break;
  }
  return found.filter(({ active }) => active).toSorted((a, b) => a.start - b.start || a.id - b.id);
}
