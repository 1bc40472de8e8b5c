import type { Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Aging, AgingIssue } from '../../model/answer.ts';
import { unknownAges } from '../../questions/view/answer-warnings.ts';
import { dayMsOf } from '../../questions/view/day-length.ts';
import { countOf, countWords, paceMark, timeText } from '../../questions/view/figure-words.ts';
import { marked } from '../../questions/view/wording.ts';
import { MORE } from '../app/answer-action.ts';
import type { SlackAction } from '../app/handler-types.ts';
import { button } from '../app/message-texts.ts';
import type { SlackParts } from '../app/parts.ts';
import type { Assigned } from './home-content.ts';

const SHOWN = 10;
const PEOPLE = 5;
const SHOWN_EACH = 3;
const KEY_LENGTH = 40;
/** A longer line would be cut within its link, and an option takes no longer address. */
const LINK_LENGTH = 500;
const SUMMARY_LENGTH = 80;
const NAME_LENGTH = 60;

/** No key has small letters. */
const SHOW_ALL = 'all';

/** The title of the part. */
export const assignedTitle = 'Assigned to you';

/** What is assigned to someone, longest against what is usual first, and below it that of the people they cover for. */
export function assignedBlocks({
  mine: { own, covered },
  hasUsual,
  snoozed,
}: Assigned): readonly MessageBlock[] {
  const others = covered.filter(({ aging }) => aging.count > 0);
  const unknown = [...own.unknown, ...covered.flatMap(({ aging }) => aging.unknown)];
  const title = section(`*${assignedTitle}* · ${ownText(own, hasUsual, snoozed)}`);
  return [
    snoozed === 0 ? title : { ...title, accessory: button('Show snoozed', 'home-snooze', SHOW_ALL) },
    ...rowsOf(own, SHOWN, hasUsual),
    ...others
      .slice(0, PEOPLE)
      .flatMap(({ person, category, aging }) => [
        section(
          `*For ${marked.person(person)}* (${nameText(category)}) · ${openText(aging.count, aging.beyond, hasUsual)}`,
        ),
        ...rowsOf(aging, SHOWN_EACH, hasUsual),
      ]),
    ...(others.length > PEOPLE
      ? [context(`You cover for ${countWords(others.length - PEOPLE)} more with open issues.`)]
      : []),
    ...unknownAges(unknown, own.provenance).map((said) => context(said.marked)),
  ];
}

function ownText(own: Aging, hasUsual: boolean, snoozed: number): string {
  const { count, beyond, unknown, doubts, provenance } = own;
  const hidden = snoozed === 0 ? '' : ` · ${countWords(snoozed)} snoozed`;
  if (count + unknown.length > 0) return `${openText(count + unknown.length, beyond, hasUsual)}${hidden}`;
  if (snoozed > 0) return `nothing else open${hidden}`;
  return doubts.unclear.length + provenance.undecided > 0
    ? 'no open issue that I know of; the status category of some is unknown'
    : 'no open issues';
}

function openText(count: number, beyond: number, hasUsual: boolean): string {
  const open = `${countWords(count)} open`;
  return hasUsual && beyond > 0 ? `${open}, ${countWords(beyond)} longer than usual` : open;
}

function rowsOf({ issues, count, provenance }: Aging, most: number, hasUsual: boolean): SectionBlock[] {
  const dayMs = dayMsOf(provenance.calendar);
  const more = count - most;
  return [
    ...issues.slice(0, most).map((issue) => ({
      ...section(issueText(issue, dayMs, hasUsual)),
      accessory: menuOf(issue),
    })),
    ...(more > 0
      ? [
          {
            ...section(`${countOf(more, 'more issue')}.`),
            accessory: button('Show all', 'run-line', '/tis mine'),
          },
        ]
      : []),
  ];
}

/** `WEB-1 Basket loses its items` and below `🟡 In Review 3d 2h · usual up to 1d 4h`. */
function issueText(issue: AgingIssue, dayMs: number, hasUsual: boolean): string {
  const { key, summary, status, ageMs, baseline, pace } = issue;
  const title = `${marked.key(shorten(key, KEY_LENGTH), addressOf(issue))} ${escapeMrkdwn(shorten(summary, SUMMARY_LENGTH))}`;
  const mark = paceMark(hasUsual ? pace : null);
  const usual = baseline === null ? '' : ` · usual up to ${timeText(baseline.p85, dayMs)}`;
  return `${title}\n${mark === '' ? '' : `${mark} `}${nameText(status.title)} *${timeText(ageMs, dayMs)}*${usual}`;
}

function addressOf({ link }: AgingIssue): string | null {
  return link === null || link.length > LINK_LENGTH ? null : link;
}

/** What can be done with an issue: each option carries an action and its value. */
function menuOf(issue: AgingIssue): Overflow {
  const { key, since } = issue;
  const url = addressOf(issue);
  return {
    type: 'overflow',
    action_id: MORE,
    options: [
      ...(url === null ? [] : [{ ...option('Open in Jira', `open-issue ${key}`), url }]),
      option('Time in status', `run-line /tis ${key}`),
      option('Snooze for 3 days', `home-snooze ${key} ${since}`),
    ],
  };
}

function option(text: string, value: string): PlainTextOption {
  return { text: { type: 'plain_text', text }, value: value.slice(0, 150) };
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
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
