import type { Tool } from '../tool.ts';
import { compareTool } from './compare.ts';
import { coverTools } from './cover-tools.ts';
import { exportTools } from './export-tools.ts';
import { forecast } from './forecast.ts';
import { issueTools } from './issue-tools.ts';
import { flowTool, listTools } from './list-tools.ts';
import { agingIssues, standup } from './open-issue-tools.ts';
import { reportTools } from './report-tools.ts';
import { sprintTool, weeklySummary } from './summary-tools.ts';

/** Every tool, in the order in which assistants are shown them. */
export const tools: readonly Tool[] = [
  ...issueTools,
  ...reportTools,
  ...[weeklySummary, sprintTool, agingIssues, standup, compareTool, forecast],
  flowTool,
  ...coverTools,
  ...listTools,
  ...exportTools,
];
