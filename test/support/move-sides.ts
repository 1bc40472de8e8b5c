import { filesIn, type MoveSide } from '../../src/store/move/move-side.ts';
import { openPostgresSide } from '../../src/store/move/postgres-side.ts';
import { openSqliteSide } from '../../src/store/move/sqlite-side.ts';

/** A side of a move: a folder, or a database whose files are in a folder. */
export const sideOf = (place: string, dataDir = place): MoveSide =>
  place.startsWith('postgres:')
    ? openPostgresSide(place, filesIn(dataDir), () => {})
    : openSqliteSide(place, filesIn(dataDir), () => {});
