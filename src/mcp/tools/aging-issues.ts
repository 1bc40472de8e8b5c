import { z } from 'zod';
import { agingSchema } from '../../api/answers/aging/aging-answer.ts';
import type { AgingQuestion } from '../../api/answers/aging/aging-kind.ts';
import { agingKind } from '../../api/answers/aging/aging-kind.ts';
import { factMembers } from '../../api/answers/document.ts';
import { flag } from '../../api/parameters/parameter.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { factLines, leftOutLines, more as moreEntries, partText, unknownLines } from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { agingTable, askFigures } from '../ask-figures.ts';
import { filterParameters, listPart, measureParameters, readFilter } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const output = z.object({
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
    ...listPart,
  }),
  output,
  async answer({ withBacklog, startIndex: start, pageSize: size, ...input }, context) {
    const selection = readFilter(input);
    const question = (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>): AgingQuestion => ({
      kind: 'aging',
      selection,
      ...measured,
      ...(withBacklog ? { backlog: true } : {}),
    });
    const part = { start, size };
    const { value, body, wording } = await askFigures(agingKind, question, input, context, part);
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
      [agingTable(issues, wording)],
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
    return { content: output.parse({ ...body, issues, nextStartIndex: next }), text };
  },
});
