import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Message } from '../message.ts';
import { button } from './button.ts';
import { delegationLine } from './delegation-line.ts';
import { context, section } from './mrkdwn.ts';
import type { Names } from './names.ts';
import { notice } from './notice.ts';

const SHOWN = 15;

/** Running and coming delegations of one person, each with a button that ends it. Expects escaped names. */
export function endList(
  delegations: readonly Delegation[],
  { person, at, names }: { readonly person: string; readonly at: Instant; readonly names: Names },
): Message {
  const who = `*${names.person(person)}*`;
  if (delegations.length === 0) {
    return notice(`${who} has handed over nothing that could end.`, '`/delegates set` hands something over.');
  }
  const shown = delegations.slice(0, SHOWN);
  const rest = delegations.length - shown.length;
  const lines = shown.map((one) => delegationLine(one, at, names));
  const lead = `What ${who} has handed over, now and later:`;
  const more = `… and ${rest} later ones.`;
  return {
    text: [lead, ...lines, ...(rest > 0 ? [more] : [])].join('\n'),
    blocks: [
      section(lead),
      ...shown.map((one, i) => ({ ...section(lines[i] ?? ''), accessory: endButton(one, at) })),
      ...(rest > 0 ? [context(more)] : []),
    ],
  };
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
