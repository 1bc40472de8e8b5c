/** A name as it is compared: neither case, nor blanks around it, nor how its accents are encoded tell names apart. */
export function foldedName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
