import type { Version } from '../../model/directory.ts';
import { idOf, isNothing, isRecord, odd } from './json-members.ts';

const aDay = /^\d{4}-\d{2}-\d{2}/;

/** A version of a project, by its key; null where nothing says whether it is released. */
export function readVersion(raw: unknown, project: string): Version | null {
  if (!isRecord(raw)) return null;
  const { name, released, archived, releaseDate } = raw;
  if (typeof name !== 'string' || typeof released !== 'boolean') return null;
  const id = idOf(raw.id);
  if (isNothing(id) || id === odd) return null;
  const [day = null] = typeof releaseDate === 'string' ? (aDay.exec(releaseDate) ?? []) : [];
  return {
    id,
    name,
    project: project.toUpperCase(),
    released,
    archived: archived === true,
    releaseDate: day,
  };
}
