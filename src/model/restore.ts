/** The command for an operator once a restored copy is the database that posts. */
export const resumeCommand = 'npx dwell resume';

/** The reason nothing is posted on a schedule, and the remedy, in sentences. */
export const pausedText = `Digests and alerts are paused: this database was restored, and another Dwell may still post them. If none does, resume them with ${resumeCommand}.`;
