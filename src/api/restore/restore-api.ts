/** Pauses scheduled posts after a restore until an admin resumes them. */
export interface RestoreApi {
  /** Nothing is posted on a schedule, since the database was restored and no one has said that it is the one that posts. */
  isPaused(): Promise<boolean>;
  /**
   * From now on this database posts digests and alerts. What was due before now is not posted: another database may have
   * done so. False when nothing was paused.
   */
  resume(): Promise<boolean>;
}
