import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import { type Standup, standupSchema } from '../../api/answers/standup/standup-answer.ts';
import { type StandupQuestion, standupKind } from '../../api/answers/standup/standup-kind.ts';
import { causesText } from '../../output/blocked-words.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { durationWord, factLines, more, unknownLines, zonedText } from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { askFigures, countText } from '../ask-figures.ts';
import { filterParameters, measureParameters, readFilter } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const output = z.object({ ...factMembers, ...standupSchema.shape, more });

/** The news of a team since its last working day. */
export const standup = defineTool({
  name: 'standup',
  title: 'Standup',
  description:
    'What was finished, started or moved since the last working day, what is blocked or due today, and who is away.',
  takesLong: true,
  parameters: z.object({ ...filterParameters, ...measureParameters }),
  output,
  async answer(input, context) {
    const selection = readFilter(input);
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
    return { content: output.parse(body), text };
  },
});

/** Doubts about who is away. */
function coverLines({ coverShown }: Standup): readonly string[] {
  if (coverShown === 'own') return ['Others may be away: the right to view all delegations is missing.'];
  return coverShown === 'unknown' ? ['UNKNOWN: who is away; the register of delegations does not say.'] : [];
}
