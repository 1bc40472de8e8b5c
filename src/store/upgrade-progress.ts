/** The progress of the upgrade of a store: the step that is under way, in words, and how much of it is done. */
export interface UpgradeProgress {
  readonly step: string;
  readonly done: number;
  readonly of: number;
}

/** Is called before a store of an earlier version is upgraded, and while it is. */
export type OnUpgrade = (progress: UpgradeProgress) => void;

/** The step in which tables change: as many schema versions are done as the store has reached. */
export const CHANGING_TABLES = 'changing tables';
