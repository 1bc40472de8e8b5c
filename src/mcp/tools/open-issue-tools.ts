import { z } from 'zod';
import { agingSchema } from '../../api/answers/aging/aging-answer.ts';
import { type AgingQuestion, agingKind } from '../../api/answers/aging/aging-kind.ts';
import { factMembers } from '../../api/answers/document.ts';
import { type Standup, standupSchema } from '../../api/answers/standup/standup-answer.ts';
import { type StandupQuestion, standupKind } from '../../api/answers/standup/standup-kind.ts';
import { flag } from '../../api/parameters/parameter.ts';
import { causesText } from '../../output/figure-words.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import {
  answerText,
  durationWord,
  factLines,
  leftOutLines,
  more,
  more as moreEntries,
  partText,
  unknownLines,
  zonedText,
} from '../answer-facts.ts';
import { askFigures, countText, openIssueTable } from '../ask-figures.ts';
import { filterParameters, listPaging, measureParameters, readIssueFilter } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const agingOutput = z.object({
  ...factMembers,
  ...agingSchema.shape,
  nextStartIndex: z.int().nullable().meta({ description: 'Ask with it as startIndex; null: the end.' }),
  more: moreEntries,
});

/** Started issues that stay longer than usual. */
export const agingIssues = defineTool({
  name: 'aging_issues',
  title: 'Issues that stay longer than usual',
  description:
    'Started issues of a filter by how far they are beyond what is usual in their status (the 85th percentile of the last 90 days), then by age.',
  takesLong: true,
  parameters: z.object({
    ...filterParameters,
    withBacklog: flag.default(false).meta({ description: 'Include open issues that are not started.' }),
    ...measureParameters,
    ...listPaging,
  }),
  output: agingOutput,
  async answer({ withBacklog, startIndex: start, pageSize: size, ...input }, context) {
    const selection = readIssueFilter(input);
    const { value, body, wording } = await askFigures(
      agingKind,
      (measured): AgingQuestion => ({
        kind: 'aging',
        selection,
        ...measured,
        ...(withBacklog ? { backlog: true } : {}),
      }),
      input,
      context,
      { start, size },
    );
    const { provenance, total, beyondUsual, withUsual, target, notStarted, ageUnknown } = value;
    const issues = value.issues.slice(start, start + size);
    const { next, range, more } = partText(start, issues.length, total);
    const { text } = answerText(
      [
        `${total} ${withBacklog ? 'open' : 'started'} issues of ${selectionText(selection)}; ${beyondUsual} of the ${withUsual} with a known usual time have been in their status longer than usual.`,
        ...(target === null
          ? []
          : [
              `Target of the cycle time, by issue: ${target.missed} started issues have missed theirs, ${target.dueToday} more will today.`,
            ]),
        `Shown: ${range}.${more}`,
        ...(withBacklog
          ? []
          : [`Not started and so not in the list: ${notStarted.count} issues (withBacklog shows them).`]),
      ],
      [openIssueTable(issues, wording)],
      [
        'Usual is the 85th percentile of the last 90 days in that status and project; unknown with fewer than 5 stays.',
        ...leftOutLines(
          'since when they are in their status is unknown',
          ageUnknown.map((key) => ({ key, reason: 'history not complete' })),
        ),
        ...unknownLines({ ...value, doneSinceUnknown: [] }),
        ...factLines(provenance, wording),
      ],
    );
    return { content: agingOutput.parse({ ...body, issues, nextStartIndex: next }), text };
  },
});

const standupOutput = z.object({ ...factMembers, ...standupSchema.shape, more });

/** The news of a team since its last working day. */
export const standup = defineTool({
  name: 'standup',
  title: 'Standup',
  description:
    'What was finished, started or moved since the last working day, what is blocked or due today, and who is away.',
  takesLong: true,
  parameters: z.object({ ...filterParameters, ...measureParameters }),
  output: standupOutput,
  async answer(input, context) {
    const selection = readIssueFilter(input);
    const { value, body, wording } = await askFigures(
      standupKind,
      (measured): StandupQuestion => ({ kind: 'standup', selection, ...measured }),
      input,
      context,
    );
    const { finished, started, moved, blocked, due, away } = value;
    const { text } = answerText(
      [
        `Issues of ${selectionText(selection)} since ${zonedText(value.since, wording)}: ${finished.count} finished, ${started.count} started, ${moved.count} moved on. Now ${value.inProgress} are in progress, ${blocked === null ? 'an unknown number' : blocked.count} of them blocked; target reached today: ${value.dueToday}, missed: ${value.missed}.`,
        ...away.people.map(
          ({ person, until, covers, waiting }) =>
            `${person.name} is away until ${zonedText(until, wording)}, ${countText(waiting.count)} in progress; covered by ${covers.length === 0 ? 'no one' : covers.map(({ category, delegates }) => `${delegates?.map(({ name }) => name).join(', ') ?? 'someone you cannot see'} (${category ?? 'all work'})`).join('; ')}.`,
        ),
      ],
      [
        {
          title: 'Finished',
          columns: ['Issue', 'Cycle time', 'Summary'],
          rows: finished.issues.map((one) => [one.key, durationWord(one.cycleMs, wording), one.summary]),
        },
        {
          title: 'Started or moved on',
          columns: ['Issue', 'From', 'To', 'Assignee', 'Summary'],
          rows: [...started.issues, ...moved.issues].map((one) => [
            one.key,
            one.from?.name ?? null,
            one.to.name,
            one.assignee?.name ?? null,
            one.summary,
          ]),
        },
        {
          title: 'Blocked',
          columns: ['Issue', 'For', 'By', 'Status', 'Assignee', 'Summary'],
          rows: (blocked?.issues ?? []).map((one) => [
            one.key,
            durationWord(one.blockedMs, wording),
            causesText(one.blocked.causes),
            one.status.name,
            one.assignee?.name ?? null,
            one.summary,
          ]),
        },
        {
          title: 'Target reached today, or missed since',
          columns: ['Issue', 'Due', 'Status', 'Assignee', 'Summary'],
          rows: due.issues.map((one) => [
            one.key,
            one.target?.dueAt == null ? null : zonedText(one.target.dueAt, wording),
            one.status.name,
            one.assignee?.name ?? null,
            one.summary,
          ]),
        },
      ],
      [...coverLines(value), ...unknownLines(value), ...factLines(value.provenance, wording)],
    );
    return { content: standupOutput.parse(body), text };
  },
});

function coverLines({ coverShown }: Standup): readonly string[] {
  if (coverShown === 'own') return ['Others may be away: the right to view all delegations is missing.'];
  return coverShown === 'unknown' ? ['UNKNOWN: who is away; the register of delegations does not say.'] : [];
}
