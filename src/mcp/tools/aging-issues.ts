import { z } from 'zod';
import type { AgingQuestion } from '../../api/answers/aging/aging-kind.ts';
import { agingKind } from '../../api/answers/aging/aging-kind.ts';
import { flag } from '../../api/parameters/parameter.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import {
  durationOf,
  durationOrNull,
  factLines,
  facts,
  factsOf,
  leftOutLines,
  leftOutOf,
  unknownLines,
  unknowns,
} from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { agingIssue, agingIssueOf, agingTable, askFigures } from '../ask-figures.ts';
import { filterParameters, listPart, measureParameters, readFilter } from '../inputs.ts';
import { defineTool } from '../tool.ts';

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
  output: z.object({
    ...facts.shape,
    issues: z.array(agingIssue),
    total: z.int(),
    beyondUsual: z.int().meta({ description: 'How many of all are beyond the 85th percentile.' }),
    withUsual: z.int().meta({ description: 'Number of issues with a known usual time.' }),
    notStarted: z.object({ count: z.int(), oldest: durationOrNull }).meta({
      description: 'Open issues that are not started; without withBacklog they are only counted.',
    }),
    sinceUnknown: z.array(z.string()).meta({ description: 'Left out: since when is unknown. First few.' }),
    unclear: unknowns.shape.unclear,
    statusesWithoutCategory: z.array(z.string()),
    nextStartIndex: z.int().nullable().meta({ description: 'Ask with it as startIndex; null: the end.' }),
  }),
  async answer({ withBacklog, startIndex: start, pageSize: size, ...asked }, context) {
    const selection = readFilter(asked);
    const question = (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>): AgingQuestion => ({
      ...{ kind: 'aging', selection, ...measured, ...(withBacklog ? { backlog: true } : {}) },
    });
    const { value, wording } = await askFigures(agingKind, question, asked, context, { start, size });
    const { provenance, count, beyond, withBaseline, notStarted, unknown, doubts } = value;
    const issues = value.issues.slice(start, start + size).map((one) => agingIssueOf(one, wording));
    const end = start + issues.length;
    const content = {
      ...factsOf(provenance, wording),
      ...{ issues, total: count, beyondUsual: beyond, withUsual: withBaseline },
      notStarted: { count: notStarted.count, oldest: durationOf(notStarted.oldestMs, wording) },
      sinceUnknown: unknown.slice(0, 20),
      unclear: leftOutOf(doubts.unclear),
      statusesWithoutCategory: [...doubts.withoutCategory],
      nextStartIndex: issues.length > 0 && end < count ? end : null,
    };
    const { text: said } = answerText(
      [
        `${count} ${withBacklog ? 'open' : 'started'} issues of ${selectionText(selection)}; ${beyond} of the ${withBaseline} with a known usual time have been in their status longer than usual.`,
        `Shown: ${issues.length === 0 ? 'none' : `${start + 1} to ${end}`}.${content.nextStartIndex === null ? '' : ` More: call again with startIndex ${end}.`}`,
        ...(withBacklog
          ? []
          : [`Not started and so not in the list: ${notStarted.count} issues (withBacklog shows them).`]),
      ],
      [agingTable(issues, wording)],
      [
        'Usual is the 85th percentile of the last 90 days in that status and project; unknown with fewer than 5 stays.',
        ...leftOutLines(
          'since when they are in their status is unknown',
          unknown.map((key) => ({ key, reason: 'history not complete' })),
        ),
        ...unknownLines({ ...doubts, sinceUnknown: [] }),
        ...factLines(provenance, wording),
      ],
    );
    return { content, text: said };
  },
});
