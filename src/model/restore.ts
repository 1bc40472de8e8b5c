/** What an operator types once a restored copy is the database that posts. */
export const resumeCommand = 'npx dwell resume';

/** Why nothing is posted on a schedule, and what to do, in sentences. */
export const pausedText = `Digests and alerts are paused: this database was restored, and another Dwell may still post them. If none does, resume them with ${resumeCommand}.`;
