import type { Tool } from '../tool.ts';
import { exportTools } from './export-tools.ts';
import { issueTools } from './issue-tools.ts';
import { lookUpTools } from './look-up-tools.ts';
import { questionTools } from './question-tools.ts';
import { reportTools } from './report-tools.ts';

/** Every tool, in the order in which assistants are shown them. */
export const tools: readonly Tool[] = [
  ...issueTools,
  ...reportTools,
  ...questionTools,
  ...lookUpTools,
  ...exportTools,
];
