import type { Told } from '../../api/answers.ts';

/** Whether the same question, asked by somebody else, would be about other issues: its filter calls `currentUser()`. */
export function dependsOnAsker(told: Told): boolean {
  switch (told.kind) {
    case 'report':
      return told.table.provenance.dependsOnAsker === true;
    case 'weekly':
      return told.weekly.provenance.dependsOnAsker === true;
    case 'aging':
      return told.aging.provenance.dependsOnAsker === true;
    case 'compare':
      return told.comparison.provenance.some((one) => one.dependsOnAsker === true);
    case 'issue':
    case 'mine':
      return false;
  }
}
