import type { Told } from '../../api/answers.ts';

/** Whether the same question, asked by somebody else, would be about other issues: its filter calls `currentUser()`. */
export function dependsOnPrincipal(told: Told): boolean {
  switch (told.kind) {
    case 'report':
      return told.table.provenance.dependsOnPrincipal === true;
    case 'weekly':
      return told.weekly.provenance.dependsOnPrincipal === true;
    case 'aging':
      return told.aging.provenance.dependsOnPrincipal === true;
    case 'compare':
      return told.comparison.provenance.some((one) => one.dependsOnPrincipal === true);
    case 'issue':
    case 'mine':
      return false;
  }
}
