import { existsSync, lstatSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { makeFolder } from '../store/sqlite/make-folder.ts';

/**
 * Has Node find in a folder below `dataDir` what it compiled for an earlier start. Where nothing can be kept, or others
 * could put code of theirs, it compiles everything again; so it does where there is no `dataDir` yet, which a start with
 * a wrong setting must not make. To keep what was compiled takes a third of a start, so what is done `isOnce` makes no
 * folder for it. Returns the folder; null where there is none.
 */
export function keepCompiledCode(dataDir: string, isOnce: boolean): string | null {
  const folder = join(dataDir, 'cache', 'code');
  try {
    if (!existsSync(isOnce ? folder : dataDir)) return null;
    makeFolder(folder);
    const { uid, mode } = lstatSync(folder);
    if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0) return null;
    return enableCompileCache(folder).directory ?? null;
  } catch {
    // Problems with DATA_DIR are reported where the store is opened.
    return null;
  }
}

/**
 * Resolves what the files of the program import without asking the disk each time. Node looks up a package for every
 * importing file and reads its whole package.json for that: of date-fns alone, which many files import and whose
 * package.json has 200 KB, that took a quarter of the start. Some packages have hundreds of modules, each of which names
 * others by their whole path. Of zod's words in fifty languages only the English ones are used, which it imports by
 * themselves; the list of all is left empty.
 */
export function resolveQuickly(): void {
  const packages = new Map<string, ReturnType<Parameters<typeof registerHooks>[0]['resolve'] & {}>>();
  const ours = new URL('..', import.meta.url).href;
  const theirs = new URL('../../node_modules/', import.meta.url).href;
  const zod = new URL('zod/', theirs).href;
  // The packages are elsewhere where Dwell is one of another project's.
  const isHere = existsSync(new URL('date-fns/', theirs));
  const whole = ['date-fns', 'jose', 'kysely', 'zod'].map((name) => new URL(`${name}/`, theirs).href);
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: parent } = context;
      if (specifier === '../locales/index.js' && parent?.startsWith(zod)) {
        return { url: 'data:text/javascript,', format: 'module', shortCircuit: true };
      }
      if (
        specifier.startsWith('.') &&
        specifier.endsWith('.js') &&
        whole.some((one) => parent?.startsWith(one))
      ) {
        return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true };
      }
      if (!parent?.startsWith(ours) || parent.includes('/node_modules/')) return next(specifier, context);
      if (specifier.startsWith('.')) {
        if (!specifier.endsWith('.ts')) return next(specifier, context);
        return { url: new URL(specifier, parent).href, format: 'module-typescript', shortCircuit: true };
      }
      if (isHere && specifier.startsWith('date-fns/')) {
        return { url: new URL(`${specifier}.js`, theirs).href, format: 'module', shortCircuit: true };
      }
      // `import` and `require` may lead to different files of one package.
      const key = `${context.conditions.includes('import')} ${specifier}`;
      const found = packages.get(key) ?? { ...next(specifier, context), shortCircuit: true };
      packages.set(key, found);
      return found;
    },
  });
}
