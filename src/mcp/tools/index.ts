import type { Tool } from '../tool.ts';
import { compare } from './compare.ts';
import { coverTools } from './cover-tools.ts';
import { exportTools } from './export-tools.ts';
import { flow } from './flow.ts';
import { forecast } from './forecast.ts';
import { issueTools } from './issue-tools.ts';
import { listTools } from './list-tools.ts';
import { agingIssues, standup } from './open-issue-tools.ts';
import { reportTools } from './report-tools.ts';
import { sprintReport, weeklySummary } from './summary-tools.ts';

/** Every tool, in the order in which assistants are shown them. */
export const tools: readonly Tool[] = [
  ...issueTools,
  ...reportTools,
  ...[weeklySummary, sprintReport, agingIssues, standup, compare, forecast],
  flow,
  ...coverTools,
  ...listTools,
  ...exportTools,
];
