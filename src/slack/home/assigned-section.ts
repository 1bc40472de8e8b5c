import type { Overflow, SectionBlock } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import type { MessageBlock } from '../../block-kit/message.ts';
import { button, context, section, shorten } from '../../block-kit/mrkdwn.ts';
import type { Aging, AgingIssue } from '../../model/answer.ts';
import { unknownAges } from '../../questions/view/answer-warnings.ts';
import { countOf, countWords, paceMark, timeText } from '../../questions/view/figure-words.ts';
import { dayMsOf, marked } from '../../questions/view/wording.ts';
import { MORE } from '../app/answer-action.ts';
import { optionOf } from '../app/form-blocks.ts';
import type { SlackAction } from '../app/handler-types.ts';

import type { SlackParts } from '../app/parts.ts';
import { type Assigned, nameText } from './home-content.ts';

const SHOWN = 10;
const PEOPLE = 5;
const SHOWN_EACH = 3;
const KEY_LENGTH = 40;
/** A longer line would be cut within its link, and an option takes no longer address. */
const LINK_LENGTH = 500;

/** No key has small letters. */
const SHOW_ALL = 'all';

/** The title of the part. */
export const assignedTitle = 'Assigned to you';

/** What is assigned to someone, longest against what is usual first, and below it that of the people they cover for. */
export function assignedBlocks({ mine: { own, covered }, snoozed }: Assigned): readonly MessageBlock[] {
  const others = covered.filter(({ aging }) => aging.count > 0);
  const more = others.length - PEOPLE;
  const unknown = [...own.unknown, ...covered.flatMap(({ aging }) => aging.unknown)];
  const title = section(`*${assignedTitle}* · ${ownText(own, snoozed)}`);
  return [
    snoozed === 0 ? title : { ...title, accessory: button('Show snoozed', 'home-snooze', SHOW_ALL) },
    ...rowsOf(own, SHOWN),
    ...others.slice(0, PEOPLE).flatMap(({ person, category, aging }) => {
      const open = openText(aging.count, aging.beyond);
      const head = section(`*For ${marked.person(person)}* (${nameText(category)}) · ${open}`);
      return [head, ...rowsOf(aging, SHOWN_EACH)];
    }),
    ...(more > 0
      ? [
          context(
            `You cover for ${countWords(more)} more ${more === 1 ? 'person' : 'people'} with open issues.`,
          ),
        ]
      : []),
    ...unknownAges(unknown, own.provenance).map((said) => context(said.marked)),
  ];
}

function ownText({ count, beyond, unknown, doubts, provenance }: Aging, snoozed: number): string {
  const hidden = snoozed === 0 ? '' : ` · ${countWords(snoozed)} snoozed`;
  if (count + unknown.length > 0) return `${openText(count + unknown.length, beyond)}${hidden}`;
  if (snoozed > 0) return `nothing else open${hidden}`;
  return doubts.unclear.length + provenance.undecided > 0
    ? 'no open issue that I know of; the status category of some is unknown'
    : 'no open issues';
}

function openText(count: number, beyond: number): string {
  const open = `${countWords(count)} open`;
  return beyond > 0 ? `${open}, ${countWords(beyond)} longer than usual` : open;
}

function rowsOf({ issues, count, provenance }: Aging, most: number): SectionBlock[] {
  const dayMs = dayMsOf(provenance.calendar);
  const rows = issues.slice(0, most).map((issue) => rowOf(issue, dayMs));
  if (count <= most) return rows;
  const all = button('Show all', 'run-line', '/tis mine');
  return [...rows, { ...section(`${countOf(count - most, 'more issue')}.`), accessory: all }];
}

/** `WEB-1 Basket loses its items`, below it `🟡 In Review 3d 2h · usual up to 1d 4h`, and a menu of what can be done. */
function rowOf(issue: AgingIssue, dayMs: number): SectionBlock & { readonly accessory: Overflow } {
  const { key, summary, status, since, ageMs, baseline, pace, link } = issue;
  const url = link === null || link.length > LINK_LENGTH ? null : link;
  const mark = paceMark(pace);
  const usual = baseline === null ? '' : ` · usual up to ${timeText(baseline.p85, dayMs)}`;
  const age = `${mark === '' ? '' : `${mark} `}${nameText(status.title)} *${timeText(ageMs, dayMs)}*${usual}`;
  const option = (text: string, value: string) => optionOf(text, value.slice(0, limits.option.value));
  const options = [
    ...(url === null ? [] : [{ ...option('Open in Jira', `open-issue ${key}`), url }]),
    option('Time in status', `run-line /tis ${key}`),
    option('Snooze for 3 days', `home-snooze ${key} ${since}`),
  ];
  return {
    ...section(`${marked.key(shorten(key, KEY_LENGTH), url)} ${nameText(summary)}\n${age}`),
    accessory: { type: 'overflow', action_id: MORE, options },
  };
}

/**
 * *Snooze* beside an issue hides it on the Home tab for three days, or until its status changes; its value is the key and
 * since when it is in the status, or `all`, which shows all again.
 */
export const homeSnooze: SlackAction<Pick<SlackParts, 'homes'>> = {
  id: 'home-snooze',
  async run({ value, principal: { account } }, { homes }) {
    const [key = '', since = ''] = value.split(' ');
    await homes.snooze(account, key === SHOW_ALL ? null : { key, since: Number(since) });
    await homes.show(account);
    return [];
  },
};
