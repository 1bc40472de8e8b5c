import { z } from 'zod';
import type { QuestionKind } from '../api/answers/question-kind.ts';
import { readWindow } from '../api/parameters/window.ts';
import type { AgingIssue, Part } from '../model/answer.ts';
import type { MeasuredQuestion } from '../model/question.ts';
import type { Provenance } from '../model/table.ts';
import { timesUsual } from '../output/figure-words.ts';
import { isoText } from '../time/date-text.ts';
import { durationOf, durationOrNull, type Wording, wordingOf, zonedText } from './answer-facts.ts';
import type { measureParameters } from './inputs.ts';
import { shortSummary } from './issue-facts.ts';
import type { ToolContext } from './tool.ts';

type AskedMeasure = z.output<z.ZodObject<typeof measureParameters>> & {
  readonly timeZone?: string | undefined;
};

/** Answers a question of a kind, the same as in Slack and over REST, and says how its figures are worded. */
export async function askFigures<Asked extends MeasuredQuestion, Value>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  asked: AskedMeasure,
  { answers, principal, reporting, now }: ToolContext,
  part?: Part,
): Promise<{ readonly value: Value; readonly wording: Wording }> {
  const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(principal));
  const { asOf } = readWindow({ asOf: asked.asOf }, { now: now(), timeZone });
  const question = questionOf({ calendar: asked.calendar, timeZone });
  const { value: answered } = await answers.ask(kind, principal, question, asOf, part);
  const found: Provenance[] = [];
  const value = kind.withProvenance(answered, (one) => {
    found.push(one);
    return one;
  });
  const [first] = found;
  if (first === undefined) throw new Error('Figures have a provenance.');
  return { value, wording: wordingOf(first, asked) };
}

/** The status that figures are of. */
export const status = z.object({ id: z.string(), name: z.string(), category: z.string() });

/** How long an open issue has been in its status. */
export const agingIssue = z
  .object({
    key: z.string(),
    summary: z.string(),
    link: z.string().nullable(),
    status,
    assignee: z.string().nullable(),
    since: z.iso.datetime(),
    age: durationOrNull.meta({ description: 'How long it has been in its status.' }),
    usual: durationOrNull.meta({
      description: 'The 85th percentile of the last 90 days there; null: fewer than five stays to go by.',
    }),
    pace: z.number().nullable().meta({ description: 'Age divided by usual: above 1 is longer than usual.' }),
    historyComplete: z.boolean(),
  })
  .meta({ id: 'AgingIssue' });

/** The same for programs. */
export function agingIssueOf(one: AgingIssue, wording: Wording): z.output<typeof agingIssue> {
  const { key, summary, link, pace, historyComplete } = one;
  return {
    ...{ key, summary, link, pace, historyComplete },
    status: { id: one.status.id, name: one.status.title, category: one.status.category },
    assignee: one.assignee?.name ?? null,
    since: isoText(one.since),
    age: durationOf(one.ageMs, wording),
    usual: durationOf(one.baseline?.p85 ?? null, wording),
  };
}

/** Open issues to read. */
export function agingTable(issues: readonly z.output<typeof agingIssue>[], wording: Wording, title?: string) {
  return {
    ...(title === undefined ? {} : { title }),
    columns: ['Issue', 'Summary', 'Status', 'Assignee', 'In status', 'Since', 'Usual (p85)', 'Times usual'],
    rows: issues.map((one) => [
      ...[one.key, shortSummary(one.summary), one.status.name, one.assignee ?? 'unassigned'],
      ...[one.age?.text ?? null, zonedText(Date.parse(one.since), wording), one.usual?.text ?? 'unknown'],
      one.pace === null ? 'unknown' : timesUsual(one.pace),
    ]),
  };
}

/** A count; null where it is unknown. */
export const countOrNull = z.number().nullable();

/** A count to read. */
export const countText = (count: number | null) =>
  count === null ? 'unknown' : String(Number(count.toFixed(2)));
