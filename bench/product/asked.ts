import { z } from 'zod';
import type { Question } from '../../src/model/question.ts';
import type { ReportRequest, Statistic } from '../../src/model/request.ts';

/** What one process asks of one folder, in turn. */
export interface AskJob {
  readonly dataDir: string;
  readonly questions: readonly Asked[];
}

type AskedReport = Partial<ReportRequest> & Pick<ReportRequest, 'reportType' | 'selection'>;

/** Reports one after the other, a question in words, a list that is read to its end, or statistics of one, under a name. */
export interface Asked {
  readonly name: string;
  readonly reports?: readonly AskedReport[];
  readonly list?: AskedReport;
  /** The statistics of `list`, which is not read then. */
  readonly together?: readonly Statistic[];
  readonly words?: Question;
}

/** Single issues that one process asks a server for, one every so many ms. */
export const askedSingles = z.object({
  url: z.string(),
  token: z.string(),
  keys: z.array(z.string()),
  everyMs: z.number(),
});

/** Reports that each of some principals asks a server for, one after the other, each beginning with another one. */
export const askedReports = z.object({
  url: z.string(),
  tokens: z.array(z.string()),
  requests: z.array(z.tuple([z.string(), z.string(), z.record(z.string(), z.string())])),
  forMs: z.number(),
});

/** How long the answer took; `fault`: why there was none. */
export const answerFound = z.object({ ms: z.number(), fault: z.string().nullable() });

/** What came of a question. `figures`: the first line's values of the first report by column, for holding against those of others. */
export const askedFound = z.object({
  name: z.string(),
  first: z.number(),
  least: z.number(),
  median: z.number(),
  most: z.number(),
  repeats: z.number(),
  cpu: z.number().nullable(),
  late: z.number(),
  held: z.number(),
  peakMb: z.number(),
  issues: z.number(),
  figures: z.record(z.string(), z.number()),
});
