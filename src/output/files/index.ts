import type { FileFormat } from '../file-format.ts';
import { csv } from './csv.ts';
import { csvZip } from './csv-zip.ts';
import { json } from './json.ts';
import { xls } from './xls.ts';
import { xlsx } from './xlsx.ts';

/** Every kind of file that is written. */
export const fileFormats: readonly FileFormat[] = [csv, csvZip, json, xls, xlsx];
