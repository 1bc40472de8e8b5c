/** Days of one year on which an office is closed, as `YYYY-MM-DD` in the office's own zone. */
export type HolidaysOfYear = (year: number) => readonly string[];

export const berlinHolidays: HolidaysOfYear = (year) => {
  const easter = easterSunday(year);
  return [
    date(year, 1, 1),
    date(year, 3, 8),
    shifted(easter, -2),
    shifted(easter, 1),
    date(year, 5, 1),
    shifted(easter, 39),
    shifted(easter, 50),
    date(year, 10, 3),
    date(year, 12, 25),
    date(year, 12, 26),
  ];
};

export const newYorkHolidays: HolidaysOfYear = (year) => [
  date(year, 1, 1),
  monday(year, 1, 15),
  monday(year, 2, 15),
  monday(year, 5, 25),
  date(year, 6, 19),
  date(year, 7, 4),
  monday(year, 9, 1),
  thanksgiving(year),
  shifted(thanksgiving(year), 1),
  date(year, 12, 24),
  date(year, 12, 25),
];

function date(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

function shifted(from: string, days: number): string {
  return new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first Monday on or after a day of a month. */
function monday(year: number, month: number, earliest: number): string {
  const weekday = new Date(Date.UTC(year, month - 1, earliest)).getUTCDay();
  return date(year, month, earliest + ((8 - weekday) % 7));
}

/** Three days after the Monday that lies between 19 and 25 November: the fourth Thursday. */
function thanksgiving(year: number): string {
  return shifted(monday(year, 11, 19), 3);
}

/** The anonymous Gregorian computation, as printed by Meeus. */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const leapless = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - leapless + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const dayOfMarch = epact + toSunday - 7 * late + 22;
  return date(year, 3, dayOfMarch);
}
