import type { ActionsBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { button } from './button.ts';
import { delegationLine } from './delegation-line.ts';
import { notice } from './notice.ts';
import type { Words } from './words.ts';

const SHOWN = 15;
/** A message takes about thirteen thousand; the buttons and what they ask count as well. */
const LINE_CHARACTERS = 9_000;

/** Whose delegations are listed, at which instant; words are escaped. */
interface EndListStory {
  readonly person: string;
  readonly at: Instant;
  readonly words: Words;
  /** Earlier ones have been listed before. */
  readonly goesOn: boolean;
  /** What the button to the rest carries, for the last one that is shown. */
  readonly toRest: (last: Delegation) => string;
}

/** Running and coming delegations of one person by their start, each with a button that ends it, and one to the rest. */
export function endList(delegations: readonly Delegation[], story: EndListStory): Message {
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
