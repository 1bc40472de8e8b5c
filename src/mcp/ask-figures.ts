import type { z } from 'zod';
import type { AgingIssue } from '../api/answers/aging/aging-answer.ts';
import { answerFacts, inputOf, type provenanceFacts } from '../api/answers/document.ts';
import type { QuestionKind } from '../api/answers/question-kind.ts';
import { readWindow } from '../api/parameters/dates.ts';
import type { Part } from '../model/answer.ts';
import type { MeasuredQuestion } from '../model/question.ts';
import type { Provenance } from '../model/table.ts';
import { causesText, timesUsual, type ValueWords } from '../output/figure-words.ts';
import { durationWord, withoutTails, wordingOf, zonedText } from './answer-facts.ts';
import type { measureParameters } from './inputs.ts';
import { shortSummary } from './issue-facts.ts';
import type { ToolContext } from './tool.ts';

type MeasureInput = z.output<z.ZodObject<typeof measureParameters>> & {
  readonly timeZone?: string | undefined;
};

/** Answers a question of a kind, the same as in Slack and over REST, and says how its figures are worded. */
export async function askFigures<Asked extends MeasuredQuestion, Value>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  input: MeasureInput,
  { answers, principal, reporting, now }: ToolContext,
  part?: Part,
): Promise<{
  readonly value: Value;
  /** The facts and the figures, as the schema of the tool's output takes them. */
  readonly body: Value &
    ReturnType<typeof provenanceFacts> & { readonly more: Readonly<Record<string, number>> };
  readonly provenance: Provenance;
  readonly wording: ValueWords;
}> {
  const timeZone = input.timeZone ?? (await reporting.timeZoneOf(principal));
  const { asOf } = readWindow({ asOf: input.asOf }, { now: now(), timeZone });
  const question = questionOf({ calendar: input.calendar, timeZone });
  const { value } = await answers.ask(kind, principal, question, asOf, part);
  const { provenance } = answerFacts(kind, value);
  const body = withoutTails(inputOf(kind, value));
  return { value, body, provenance, wording: wordingOf(provenance, input) };
}

/** Open issues to read. */
export function openIssueTable(issues: readonly AgingIssue[], wording: ValueWords, title?: string) {
  const isAnyBlocked = issues.some(({ blocked }) => blocked);
  const hasReasons = issues.some(({ reason }) => reason);
  return {
    ...(title === undefined ? {} : { title }),
    columns: [
      ...['Issue', 'Summary', 'Status', 'Assignee', 'In status', 'Since', 'Usual (p85)', 'Times usual'],
      ...['Target', ...(isAnyBlocked ? ['Blocked'] : []), ...(hasReasons ? ['Reason'] : [])],
    ],
    rows: issues.map((one) => [
      ...[one.key, shortSummary(one.summary), one.status.name, one.assignee?.name ?? 'unassigned'],
      ...[durationWord(one.ageMs, wording), zonedText(one.since, wording)],
      durationWord(one.usual?.p85Ms ?? null, wording) ?? 'unknown',
      one.pace === null ? 'unknown' : timesUsual(one.pace),
      targetWord(one.target, wording),
      ...(isAnyBlocked ? [blockedWord(one.blocked, wording)] : []),
      ...(hasReasons ? [reasonWord(one.reason, wording)] : []),
    ]),
  };
}

/** The causes that block an issue now to read, and since when they do. */
function blockedWord(blocked: AgingIssue['blocked'], wording: ValueWords): string {
  if (!blocked) return 'no';
  const { since, causes, by } = blocked;
  const who = by === null ? '' : `, begun by ${by.name}`;
  return `by ${causesText(causes)}, since ${since === null ? 'unknown' : zonedText(since, wording)}${who}`;
}

/** The latest answer to a nudge about an issue to read. */
function reasonWord(reason: AgingIssue['reason'], wording: ValueWords): string {
  if (!reason) return 'none';
  const who = `${reason.person.name}, ${zonedText(reason.at, wording)}`;
  if (reason.kind === 'onIt') return `on it (${who})`;
  return reason.kind === 'blocked'
    ? `blocked: ${reason.reason} (${who})`
    : `snoozed until ${zonedText(reason.until, wording)} (${who})`;
}

/** A target to read, where it comes from, and when it is missed. */
function targetWord(target: AgingIssue['target'], wording: ValueWords): string {
  if (target === null) return 'none';
  const { percent, withinMs, source, dueAt, isMissed } = target;
  const when = dueAt === null ? 'never' : zonedText(dueAt, wording);
  return `${durationWord(withinMs, wording)} (${source}, ${percent}%), ${isMissed ? 'missed since' : 'due'} ${when}`;
}

/** A count to read. */
export const countText = (count: number | null) =>
  count === null ? 'unknown' : String(Number(count.toFixed(2)));
