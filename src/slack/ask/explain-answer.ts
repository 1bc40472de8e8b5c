import type {
  KnownBlock,
  ModalView,
  PlainTextOption,
  RichTextBlock,
  RichTextSection,
  SectionBlock,
  StaticSelect,
} from '@slack/types';
import type { ExplainedPart, Explanation, FigureChoice } from '../../model/answer.ts';
import { countOf, countWords } from '../../output/figure-words.ts';
import { addingWords, durationWords, shorten } from '../../output/readable-text.ts';
import { calendarIn, dayMsOf, hoursText, utcText } from '../../output/wording.ts';
import { marked } from '../answers/view/marked-wording.ts';
import type { SlackAction } from '../app/handler-types.ts';
import { openLateView, wordView } from '../app/open-view.ts';
import type { QuestionParts, SlackParts, ViewParts } from '../app/parts.ts';
import { failureMessage } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import { context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { askAgain } from './read-question.ts';

/** *Why?* below an answer, wherever it is read: what its figures are made of; its value is the run's id. */
export const whyAnswer: SlackAction<QuestionParts & ViewParts> = {
  id: 'why-answer',
  run: ({ value, principal, open }, parts) =>
    openLateView(
      {
        title: WHY,
        meanwhile: 'Explaining the figures…',
        advice: 'Please press the button again.',
        make: () => explanationView({ run: value, figure: null }, principal.account, parts),
      },
      open,
      parts,
    ),
};

/** Another figure chosen in the modal that explains them. */
export const explainFigure: SlackAction<QuestionParts & Pick<SlackParts, 'log'>> = {
  id: 'explain-figure',
  async run({ value, principal, view }, parts) {
    if (view === null) return [];
    const shown = await explanationView(
      { run: view.metadata, figure: value },
      principal.account,
      parts,
    ).catch((error: unknown) =>
      wordView(WHY, failureMessage(error, { action: 'explain-figure' }, parts.log)),
    );
    await view.replace(shown);
    return [];
  },
};

const WHY = 'Why?';

/** An explanation of a figure of a stored answer, and the figures that can be explained. */
interface ExplainedFigure {
  readonly choices: readonly FigureChoice[];
  /** The id of the figure; null: the answer has none. */
  readonly chosen: string | null;
  readonly explanation: Explanation | null;
}

/**
 * Explains a figure (null: the first that is worth it) with the rights of an account and as of the instant of the answer: an
 * issue that they cannot see is not in it. `run`: id of the stored answer.
 */
export async function explainRun(
  { run: id, figure }: { readonly run: string; readonly figure: string | null },
  account: string,
  parts: QuestionParts,
): Promise<ExplainedFigure> {
  const { run, principal, answer } = await askAgain(id, account, parts);
  const choices = parts.answers.figures(answer);
  const chosen = figure ?? choices[0]?.id ?? null;
  const { question, asOf } = run;
  const { unit } = question;
  const found = chosen === null ? null : await parts.answers.explain(principal, question, asOf, chosen);
  return {
    choices,
    chosen,
    explanation: found === null || unit === undefined ? found : calendarIn(found, unit),
  };
}

/** The modal that explains a figure; it carries the id of the run from figure to figure. */
async function explanationView(
  input: Parameters<typeof explainRun>[0],
  account: string,
  parts: QuestionParts,
): Promise<ModalView> {
  const { choices, chosen, explanation } = await explainRun(input, account, parts);
  return {
    type: 'modal',
    private_metadata: input.run,
    title: { type: 'plain_text', text: WHY },
    close: { type: 'plain_text', text: 'Close' },
    blocks: explanationBlocks(choices, chosen, explanation),
  };
}

const LABEL_LENGTH = 60;
const NOTE_LENGTH = 80;
const UNKNOWN_LENGTH = 200;
const PARTS = 30;
const EXCLUDED = 10;

/**
 * The blocks of the *Why?* modal: a menu of the answer's figures (`explain-figure`), and why the one chosen is what it
 * is. `explanation` is null while nothing is explained yet.
 */
export function explanationBlocks(
  choices: readonly FigureChoice[],
  chosen: string | null,
  explanation: Explanation | null,
): KnownBlock[] {
  const menu = choices.length === 0 ? [] : [menuOf(choices, chosen)];
  if (explanation !== null) return [...menu, ...explained(explanation)];
  return choices.length === 0
    ? [section('This answer has no figures to explain.')]
    : [...menu, section('Choose a figure to explain.')];
}

function menuOf(choices: readonly FigureChoice[], chosen: string | null): SectionBlock {
  const options = choices
    .filter(({ id }) => id.length <= limits.option.value)
    .slice(0, limits.select.options)
    .map(({ id, title }) => optionOf(id, title));
  const initial = options.find(({ value }) => value === chosen);
  const menu: StaticSelect = {
    type: 'static_select',
    action_id: 'explain-figure',
    placeholder: { type: 'plain_text', text: 'Choose a figure' },
    options,
    ...(initial === undefined ? {} : { initial_option: initial }),
  };
  const block = section('*Which figure?*');
  return options.length === 0 ? block : { ...block, accessory: menu };
}

function optionOf(value: string, title: string): PlainTextOption {
  const text = shorten(title.trim(), limits.option.text) || '(no name)';
  return { text: { type: 'plain_text', text, emoji: false }, value };
}

function explained(explanation: Explanation): KnownBlock[] {
  const { title, rules, parts, excluded } = explanation;
  const durations = durationTexts(explanation);
  return [
    section(`*${escapeMrkdwn(shorten(title, 200))}*\n${valueText(explanation, durations.value)}`),
    ...(rules.length === 0 ? [] : [rulesList(rules)]),
    ...(parts.length === 0 ? [] : [partsList(explanation, durations.parts)]),
    ...(excluded.length === 0 ? [] : [excludedText(excluded)]),
    context(footText(explanation)),
  ];
}

/** The figure and the time of each part in words (null: it is no time), which add up where the parts do. */
function durationTexts({ value, parts, adds, calendar }: Explanation) {
  const dayMs = dayMsOf(calendar);
  const times = parts.map(({ countedMs }) => countedMs);
  const wholeMs = value?.kind === 'duration' ? value.value : null;
  const sum = times.reduce<number>((ms, one) => ms + (one ?? 0), 0);
  if (!adds || wholeMs === null || Math.abs(sum - wholeMs) >= 1) {
    const words = (ms: number | null) => (ms === null ? null : durationWords(ms, dayMs));
    return { value: words(wholeMs), parts: times.map(words) };
  }
  const known = times.map((ms) => ms ?? 0);
  const adding = addingWords(known, dayMs);
  return { value: adding.sum, parts: times.map((ms, i) => (ms === null ? null : (adding.parts[i] ?? null))) };
}

function valueText({ value, unknown, denominator }: Explanation, duration: string | null): string {
  if (unknown !== undefined) return escapeMrkdwn(`Unknown: ${shorten(unknown, UNKNOWN_LENGTH)}.`);
  const figure = value === null ? 'None: no such time is known.' : `*${duration ?? countWords(value.value)}*`;
  return denominator === null
    ? figure
    : `${figure} · from ${countWords(denominator.counted)} of ${countOf(denominator.of, 'issue')}`;
}

function rulesList(rules: readonly string[]): RichTextBlock {
  const elements = rules
    .slice(0, 12)
    .map((rule) => inlineSection({ type: 'text', text: shorten(rule, 400) || '–' }));
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] };
}

type Inline = RichTextSection['elements'][number];

function inlineSection(...elements: Inline[]): RichTextSection {
  return { type: 'rich_text_section', elements };
}

/** Modals take no table, so the parts are a list: each with its time, and what of it counts. */
function partsList({ parts, more }: Explanation, durations: readonly (string | null)[]): RichTextBlock {
  const shown = parts.slice(0, PARTS);
  const left = parts.length - shown.length + more;
  return {
    type: 'rich_text',
    elements: [
      inlineSection({ type: 'text', text: 'Made of', style: { bold: true } }),
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: shown.map((part, index) => inlineSection(...partElements(part, durations[index] ?? null))),
      },
      ...(left > 0 ? [inlineSection({ type: 'text', text: `… and ${countWords(left)} more.` })] : []),
    ],
  };
}

function partElements(
  { label, link, from, until, wallMs, countedMs, note }: ExplainedPart,
  counted: string | null,
): Inline[] {
  const name = shorten(label, LABEL_LENGTH) || '(no name)';
  // Total time is never in days, which may be working days beside it.
  const wall = wallMs === null ? null : durationWords(wallMs, Number.POSITIVE_INFINITY);
  const text = (words: string): Inline => ({ type: 'text', text: words });
  return [
    link === null ? text(name) : { type: 'link', url: link, text: name },
    ...(counted === null ? [] : [text(': '), { ...text(counted), style: { bold: true } } as const]),
    ...(wall === null || wallMs === countedMs ? [] : [text(` counted (${wall} in total)`)]),
    ...(from === null ? [] : [text(', from '), dateOf(from)]),
    ...(until === null ? [] : [text(from === null ? ', until ' : ' to '), dateOf(until)]),
    ...(note === null ? [] : [text(` (${shorten(note, NOTE_LENGTH)})`)]),
  ];
}

/** An instant in the reader's own time zone. */
function dateOf(at: number): Inline {
  return {
    type: 'date',
    timestamp: Math.floor(at / 1000),
    format: '{date_short_pretty} at {time}',
    fallback: utcText(at),
  };
}

function excludedText(excluded: Explanation['excluded']): SectionBlock {
  const lines = excluded
    .slice(0, EXCLUDED)
    .map(
      ({ key, reason, link = null }) =>
        `${marked.key(shorten(key, LABEL_LENGTH), link)}: ${escapeMrkdwn(shorten(reason, NOTE_LENGTH))}`,
    );
  const more = excluded.length - lines.length;
  return section(
    ['*Left out*', ...lines, ...(more > 0 ? [`… and ${countOf(more, 'more issue')}.`] : [])].join('\n'),
  );
}

function footText({ calendar, trim, asOf }: Explanation): string {
  const hours = hoursText(calendar, escapeMrkdwn);
  return [
    `${hours.charAt(0).toUpperCase()}${hours.slice(1)}`,
    ...(trim.from === null ? [] : [`counted from ${dateMark(trim.from)}`]),
    ...(trim.to === null ? [] : [`counted until ${dateMark(trim.to)}`]),
    `as of ${dateMark(asOf)}`,
  ].join(' · ');
}
