import { type Line, lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Coverage, Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { button, categoriesText, someLines, type Words, wordsAnywhere } from '../app/message-texts.ts';
import { awayTooText, uncoveredText } from '../delegates/cover-message.ts';
import { peopleText, periodText } from '../delegates/cover-words.ts';
import type { Cover, Files, HomeFile, Section } from './home-content.ts';

/** A part of the tab, with its title (escaped) and its blocks once it is known. */
interface SectionView {
  readonly title: string;
  readonly part: Section<unknown>;
  readonly blocks: () => readonly MessageBlock[];
}

/** A part of the tab as a view; `known` makes its blocks. */
export function sectionView<Value>(
  title: string,
  part: Section<Value>,
  known: (value: Value) => readonly MessageBlock[],
): SectionView {
  return { title, part, blocks: () => (part.state === 'known' ? known(part.value) : []) };
}

/** Parts of the tab in their order: of those that are not known what is the matter, each reason once. */
export function sectionBlocks(views: readonly SectionView[]): readonly (readonly MessageBlock[])[] {
  return views.map((view, index) => blocksOf(view, views.slice(0, index), views.slice(index + 1)));
}

function blocksOf(
  { title, part, blocks }: SectionView,
  before: readonly SectionView[],
  behind: readonly SectionView[],
): readonly MessageBlock[] {
  switch (part.state) {
    case 'known':
      return blocks();
    case 'counting':
      return [
        section(
          `*${title}*\nStill counting; this fills by itself. If it does not, *Refresh* at the end asks anew.`,
        ),
      ];
    case 'failed': {
      const isSame = ({ part: other }: SectionView) =>
        other.state === 'failed' && other.why.text === part.why.text;
      if (before.some(isSame)) return [];
      const others = behind.filter(isSame).map((one) => one.title);
      return failedBlocks(title, part, others);
    }
  }
}

function failedBlocks(
  title: string,
  { why, isPassingFailure }: Extract<Section<unknown>, { readonly state: 'failed' }>,
  others: readonly string[],
): readonly MessageBlock[] {
  const reason = why.blocks.slice(0, 2);
  if (!isPassingFailure) return [section(`*${title}*`), ...reason];
  const untold =
    others.length === 0
      ? 'This part cannot be told at the moment.'
      : `This cannot be told at the moment, nor can: ${others.join(', ')}.`;
  return [
    section(`*${title}*\n${untold}`),
    ...reason,
    context('The rest is not affected. *Refresh* at the end tries again.'),
  ];
}

const MOST_CHARACTERS = 5_000;

/** The title of the part. */
export const coverTitle = 'Whom you cover, and who covers you';

/** Whom somebody covers and who covers them, today and in the next two weeks. */
export function coverBlocks(cover: Cover | Message | null, at: Instant): readonly MessageBlock[] {
  if (cover === null) return [];
  if ('text' in cover) return [section(`*${coverTitle}*`), ...cover.blocks.slice(0, 3)];
  const { person, coverage, names } = cover;
  const words = wordsAnywhere(names);
  const { delegations } = coverage;
  const covering = delegations.filter(({ delegates }) => delegates.includes(person));
  const covered = delegations.filter(({ delegator }) => delegator === person);
  return [
    ...asking(
      [
        `*${coverTitle}*`,
        'Today and in the next two weeks.',
        ...(covering.length === 0
          ? ['You cover nobody.']
          : ['*You cover*', ...someLines(covering, (one) => `• ${coveringText(one, at, words)}`)]),
      ],
      'This week',
      '/delegates week',
      MOST_CHARACTERS,
    ),
    ...asking(
      covered.length === 0
        ? ['Nobody covers you.']
        : ['*You are covered by*', ...someLines(covered, (one) => `• ${coveredText(one, at, words)}`)],
      'Hand work over',
      '/delegates set',
      MOST_CHARACTERS,
    ),
    ...lineBlocks(warnings(coverage, words), MOST_CHARACTERS).blocks,
  ];
}

function coveringText(one: Delegation, at: Instant, words: Words): string {
  return `*${words.person(one.delegator)}*: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}`;
}

function coveredText(one: Delegation, at: Instant, words: Words): string {
  return `${peopleText(one.delegates, words)}: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}`;
}

function warnings({ span, uncovered, awayToo }: Coverage, words: Words): readonly string[] {
  const looked = { span, whole: 'all the time' };
  return [
    ...someLines(uncovered, (one) => `:warning: ${uncoveredText(one, words, looked)}`),
    ...someLines(awayToo, (one) => `:warning: ${awayTooText(one, words, looked)}`),
  ];
}

const TITLE_LENGTH = 200;
const REASON_LENGTH = 300;

/** The title of the part. */
export const filesTitle = 'Your last exports';

/** Somebody's last exports, with the file where it is kept; nothing where there was none. */
export function fileBlocks({ files, more }: Files): readonly MessageBlock[] {
  if (files.length === 0) return [];
  return [
    section(`*${filesTitle}*`),
    ...files.map(fileBlock),
    ...(more > 0 ? [section(`… and ${countWords(more)} older.`)] : []),
  ];
}

function fileBlock({ title, record }: HomeFile): MessageBlock {
  const told = section(
    `${escapeMrkdwn(shorten(title, TITLE_LENGTH))}, asked for ${dateMark(record.createdAt)}\n${stateText(record)}`,
  );
  if (record.state !== 'Successful') return told;
  return { ...told, accessory: button('Get the file', 'get-export-file', record.id) };
}

function stateText({ state, completed, total, message }: HomeFile['record']): string {
  const why = message === null ? '' : `: ${escapeMrkdwn(shorten(message, REASON_LENGTH))}`;
  switch (state) {
    case 'Queued':
      return 'Waits for its turn.';
    case 'Running':
      return `Being made: ${countWords(completed)} of ${countWords(total)} issues.`;
    case 'Successful':
      return 'Done.';
    case 'Failed':
      return `Failed${why}`;
    case 'Aborted':
      return `Ended before its time${why}`;
    case 'Expired':
      return 'Done; the file is not kept any more. Ask again for a new one.';
  }
}

/** Lines below each other; beside the first a button that runs a line of `/tis` or `/delegates`. Expects escaped words. */
export function asking(
  lines: readonly Line[],
  text: string,
  command: string,
  most?: number,
): readonly MessageBlock[] {
  const [first, ...others] = lineBlocks(lines, most).blocks;
  if (first?.type !== 'section') return [];
  return [{ ...first, accessory: button(text, 'home-ask', command) }, ...others];
}
