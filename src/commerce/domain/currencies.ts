/**
 * The money in use of ISO 4217, as of 2026: without funds, metals, tests and special drawing rights, and without
 * currencies that were replaced.
 */
const IN_USE = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
  CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ
  GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP
  LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR
  PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC
  SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF
  XPF YER ZAR ZMW ZWG
`;

/** Money that was replaced: it cannot be sold in, and sales in it can still be refunded and paid out. */
const REPLACED = ['ANG', 'BGN', 'HRK', 'SLL', 'ZWL'];

const CURRENCIES: ReadonlySet<string> = new Set(IN_USE.trim().split(/\s+/));

export function isCurrencyInUse(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Returns whether the code is that of money, in use or replaced, and not of a metal, a fund or a test. */
export function isCurrency(code: string): boolean {
  return isCurrencyInUse(code) || REPLACED.includes(code);
}
