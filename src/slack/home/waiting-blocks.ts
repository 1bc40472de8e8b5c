import { type Line, lineBlocks } from '../../block-kit/line-blocks.ts';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Aging, AgingIssue, Mine } from '../../model/answer.ts';
import { unknownAges } from '../../questions/view/answer-warnings.ts';
import { dayMsOf, dayNote } from '../../questions/view/day-length.ts';
import { countOf, countWords, timeText } from '../../questions/view/figure-words.ts';
import { marked } from '../../questions/view/wording.ts';
import { asking } from './home-blocks.ts';
import type { HomeContent } from './home-content.ts';

const SHOWN = 10;
const PEOPLE = 5;
const SHOWN_EACH = 3;
const KEY_LENGTH = 40;
/** A line longer than a section would be cut within its link. */
const LINK_LENGTH = 500;
const SUMMARY_LENGTH = 80;
const NAME_LENGTH = 60;

/**
 * What waits on somebody, those beyond their usual first, and apart what waits on those they stand in for. While
 * nothing is known of what is usual, the oldest first.
 */
export function waitingBlocks({ own, covered }: Mine, usual: HomeContent['usual']): readonly MessageBlock[] {
  const hasUsual = usual === 'known';
  const dayMs = dayMsOf(own.provenance.calendar);
  const others = covered.filter(({ aging }) => aging.count > 0);
  const people = others.slice(0, PEOPLE);
  const title = ['*What waits on you*', ownText(own, hasUsual)];
  const lines = issueLines(own, SHOWN, { dayMs, hasUsual });
  const isCut =
    own.count > SHOWN || others.length > PEOPLE || people.some(({ aging }) => aging.count > SHOWN_EACH);
  const untold = unknownAges(
    [...own.unknown, ...covered.flatMap(({ aging }) => aging.unknown)],
    own.provenance,
  );
  return [
    // A button narrows what stands beside it.
    ...(isCut
      ? [...asking(title, 'All of them', '/tis mine'), ...lineBlocks(lines).blocks]
      : lineBlocks([...title, ...lines]).blocks),
    ...people.flatMap(
      ({ person, category, aging }) =>
        lineBlocks([
          `*As a stand-in for ${nameText(person.name)}* (${nameText(category)}): ${countOf(aging.count, 'open issue')}${hasUsual ? beyondText(aging.beyond) : ''}.`,
          ...issueLines(aging, SHOWN_EACH, { dayMs, hasUsual }),
        ]).blocks,
    ),
    ...(others.length > PEOPLE
      ? [
          section(
            `… and what waits on ${countOf(others.length - PEOPLE, 'more person').replace('persons', 'people')}.`,
          ),
        ]
      : []),
    ...untold.map((said) => context(said.marked)),
    ...(own.count + others.length === 0 ? [] : [context(noteText(dayNote(own.provenance.calendar), usual))]),
  ];
}

function ownText({ count, beyond, unknown, doubts, provenance }: Mine['own'], hasUsual: boolean): string {
  if (count === 0 && unknown.length > 0)
    return `${countOf(unknown.length, 'open issue')}, ${unknown.length === 1 ? 'of which it is not' : 'of none of which it is'} known since when.`;
  if (count === 0 && doubts.unclear.length + provenance.undecided > 0)
    return 'No issue is known to wait on you, but of some nobody can tell.';
  if (count === 0)
    return 'No open issue waits on you. What is assigned to you in the tracker will stand here.';
  return `${countOf(count, 'open issue')}${hasUsual ? beyondText(beyond) : ''}.`;
}

function beyondText(beyond: number): string {
  return beyond === 0 ? ', none longer than usual' : `, ${countWords(beyond)} of them longer than usual`;
}

interface LineLook {
  readonly dayMs: number;
  readonly hasUsual: boolean;
}

function issueLines({ issues, count }: Aging, most: number, look: LineLook): readonly Line[] {
  const more = count - most;
  return [
    ...issues.slice(0, most).map((issue) => () => issueLine(issue, look)),
    ...(more > 0 ? [`… and ${countWords(more)} more.`] : []),
  ];
}

/** `WEB-1 Basket loses its items: in Review for 3d 2h, usual ≤ 1d 4h, over by 1d 6h`. */
function issueLine(
  { key, link, summary, status, ageMs, baseline }: AgingIssue,
  { dayMs, hasUsual }: LineLook,
): string {
  const address = link === null || link.length > LINK_LENGTH ? null : link;
  const issue = `${marked.key(shorten(key, KEY_LENGTH), address)} ${escapeMrkdwn(shorten(summary, SUMMARY_LENGTH))}`;
  const age = `${nameText(status.title)} for *${timeText(ageMs, dayMs)}*`;
  if (!hasUsual) return `• ${issue}: ${age}`;
  if (baseline === null) return `• ${issue}: ${age}, too few before it to tell what is usual`;
  const over = ageMs > baseline.p85 ? `, *over by ${timeText(ageMs - baseline.p85, dayMs)}*` : '';
  return `• ${issue}: ${age}, usual ≤ ${timeText(baseline.p85, dayMs)}${over}`;
}

function noteText(day: string | null, usual: HomeContent['usual']): string {
  const told = {
    counting: 'The longest first; what is usual is still being counted, and then stands here by itself',
    failed:
      'The longest first; what is usual cannot be told at the moment, and *Refresh* at the end tries again',
    known: 'Usual: 85 % of the visits of that status that ended in the last 90 days took no longer',
  }[usual];
  return day === null ? `${told}.` : `${told} · ${escapeMrkdwn(day)}.`;
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}
