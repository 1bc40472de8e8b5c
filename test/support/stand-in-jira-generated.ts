import type { JiraMode } from './stand-in-jira-cast.ts';
import { type Era, generateIssue, type IssueNow } from './stand-in-jira-issue.ts';

/** Small worlds are asked for the same issues again and again, large ones once for each. */
const SMALL = 1000;

/** Of all small worlds of one process together. */
const MAX_KEPT = 3000;

const kept = new Map<string, IssueNow>();

/** The issue of this number as it was generated, for reading only. */
export function generatedIssue(era: Era, number: number, mode: JiraMode): IssueNow {
  if (era.issues > SMALL) return generateIssue(era, number, mode);
  const { seed, issues, longest, from, until } = era;
  const name = [mode, seed, issues, longest, from, until, number].join();
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = generateIssue(era, number, mode);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, made);
  return made;
}
