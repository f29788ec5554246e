/**
 * Larger districts of the big cities. Written for this console like `saudi-cities.ts`; no dataset was copied. A centre may be off by a kilometre:
 * it is a start for the pin.
 *
 * `# City` as in `saudi-cities.ts`, then `English|Arabic|latitude|longitude|other spellings`.
 */
export const SAUDI_DISTRICTS = `
# Riyadh
Al Olaya|العليا|24.695|46.682|
As Sulimaniyah|السليمانية|24.702|46.703|sulaymaniyah
Al Malaz|الملز|24.664|46.735|
Al Murabba|المربع|24.665|46.71|
Al Batha|البطحاء|24.645|46.717|
Ad Dirah|الديرة|24.631|46.712|
Al Futah|الفوطة|24.645|46.708|
Al Wizarat|الوزارات|24.655|46.715|
Al Maathar|المعذر|24.67|46.667|
Al Muhammadiyah|المحمدية|24.735|46.65|
Ar Rahmaniyah|الرحمانية|24.715|46.66|
Al Wurud|الورود|24.724|46.678|
King Fahd|الملك فهد|24.742|46.673|
Al Mursalat|المرسلات|24.752|46.69|
Al Nuzhah|النزهة|24.755|46.71|
Al Masif|المصيف|24.763|46.685|
At Taawun|التعاون|24.77|46.7|
Al Mughrizat|المغرزات|24.763|46.725|
Al Izdihar|الازدهار|24.78|46.72|
Al Ghadir|الغدير|24.773|46.655|
An Nakhil|النخيل|24.744|46.627|
Al Aqiq|العقيق|24.776|46.625|
KAFD|مركز الملك عبدالله المالي|24.763|46.64|king abdullah financial district, كافد
An Nafal|النفل|24.78|46.675|
Al Wadi|الوادي|24.79|46.69|
Al Falah|الفلاح|24.797|46.708|
An Nada|الندى|24.803|46.683|
Ar Rabi|الربيع|24.796|46.66|
As Sahafah|الصحافة|24.803|46.637|
Al Malqa|الملقا|24.808|46.605|
Hittin|حطين|24.764|46.601|
Al Yasmin|الياسمين|24.823|46.645|
An Narjis|النرجس|24.84|46.67|
Al Arid|العارض|24.88|46.61|
Al Qirawan|القيروان|24.84|46.59|
Banban|بنبان|24.97|46.6|
Irqah|عرقة|24.685|46.595|
As Safarat|السفارات|24.682|46.625|diplomatic quarter, dq, الحي الدبلوماسي
Umm Al Hamam|أم الحمام|24.69|46.655|
As Sulay|السلي|24.66|46.84|
Ar Rawdah|الروضة|24.735|46.775|
Al Hamra|الحمراء|24.775|46.76|
Ghirnatah|غرناطة|24.79|46.745|granada
Qurtubah|قرطبة|24.815|46.74|cordoba
Al Munsiyah|المونسية|24.83|46.775|
Ishbiliyah|إشبيلية|24.795|46.79|
Al Yarmuk|اليرموك|24.805|46.785|
Al Khaleej|الخليج|24.775|46.805|
An Nahdah|النهضة|24.755|46.815|
Al Quds|القدس|24.755|46.755|
Ar Rayyan|الريان|24.71|46.77|
Ar Rabwah|الربوة|24.69|46.755|
An Naseem|النسيم|24.73|46.83|
Ar Rimal|الرمال|24.87|46.81|
Al Janadriyah|الجنادرية|24.84|46.87|
Al Aziziyah|العزيزية|24.59|46.77|
Ad Dar Al Baida|الدار البيضاء|24.56|46.79|
Al Manakh|المناخ|24.615|46.745|
Ash Shifa|الشفا|24.56|46.69|
Badr|بدر|24.52|46.71|
Al Hazm|الحزم|24.54|46.65|
As Suwaidi|السويدي|24.595|46.67|
Al Uraija|العريجاء|24.61|46.65|
Dhahrat Laban|ظهرة لبن|24.63|46.545|laban, لبن
Tuwaiq|طويق|24.585|46.54|
Al Mahdiyah|المهدية|24.66|46.51|

# Jeddah
Al Balad|البلد|21.485|39.187|
Al Baghdadiyah|البغدادية|21.5|39.185|
Al Hamra|الحمراء|21.527|39.163|
Ar Ruwais|الرويس|21.513|39.173|
Al Andalus|الأندلس|21.54|39.145|
Ar Rawdah|الروضة|21.563|39.153|
Al Khalidiyah|الخالدية|21.553|39.135|
Al Faisaliyah|الفيصلية|21.57|39.175|
As Salamah|السلامة|21.588|39.15|
Az Zahra|الزهراء|21.588|39.133|
An Nahdah|النهضة|21.61|39.13|
Al Bawadi|البوادي|21.6|39.165|
Ar Rabwah|الربوة|21.6|39.18|
As Safa|الصفا|21.583|39.205|
Al Marwah|المروة|21.615|39.205|
An Nuzhah|النزهة|21.62|39.185|
Al Muhammadiyah|المحمدية|21.645|39.135|
Ash Shati|الشاطئ|21.6|39.11|
Al Basatin|البساتين|21.685|39.125|
Al Murjan|المرجان|21.68|39.11|
An Naim|النعيم|21.62|39.15|
Al Hamdaniyah|الحمدانية|21.76|39.2|
Obhur Ash Shamaliyah|أبحر الشمالية|21.75|39.13|obhur, ابحر
Obhur Al Janubiyah|أبحر الجنوبية|21.71|39.12|
Bani Malik|بني مالك|21.525|39.205|
Al Aziziyah|العزيزية|21.55|39.195|
Mushrifah|مشرفة|21.54|39.19|
Ar Rihab|الرحاب|21.55|39.215|
Al Ajwad|الأجواد|21.605|39.275|
As Samer|السامر|21.6|39.245|
Al Manar|المنار|21.61|39.23|
At Taysir|التيسير|21.56|39.24|
Al Waziriyah|الوزيرية|21.45|39.215|
Al Jamiah|الجامعة|21.47|39.25|
Al Thaghr|الثغر|21.475|39.225|
Ghulail|غليل|21.455|39.2|
Al Iskan|الإسكان|21.43|39.25|
Al Khumrah|الخمرة|21.3|39.24|

# Makkah
Al Haram|الحرم|21.422|39.826|
Al Aziziyah|العزيزية|21.405|39.865|
Ash Shawqiyah|الشوقية|21.375|39.79|
Al Awali|العوالي|21.345|39.89|
An Naseem|النسيم|21.38|39.875|
Ar Rusayfah|الرصيفة|21.405|39.79|
Al Misfalah|المسفلة|21.41|39.82|
Jarwal|جرول|21.43|39.815|
Az Zahir|الزاهر|21.445|39.805|
An Nuzhah|النزهة|21.44|39.79|
Ash Sharai|الشرائع|21.46|39.95|
Al Umrah|العمرة|21.49|39.79|
Mina|منى|21.414|39.893|

# Madinah
Al Haram|الحرم|24.468|39.611|
Quba|قباء|24.44|39.617|
Al Aziziyah|العزيزية|24.44|39.53|
Al Khalidiyah|الخالدية|24.46|39.66|
Al Awali|العوالي|24.44|39.645|
Sultanah|سلطانة|24.48|39.59|
Al Uyun|العيون|24.51|39.6|
Al Harrah Ash Sharqiyah|الحرة الشرقية|24.475|39.635|
Shuran|شوران|24.4|39.63|

# Taif
Ash Shafa|الشفا|21.07|40.32|
Al Hada|الهدا|21.36|40.29|
Al Hawiyah|الحوية|21.44|40.49|
Shihar|شهار|21.26|40.4|

# Dammam
Al Faisaliyah|الفيصلية|26.39|50.07|
Ash Shati|الشاطئ|26.47|50.12|
Al Mazruiyah|المزروعية|26.44|50.11|
Al Adamah|العدامة|26.43|50.095|
Al Badiyah|البادية|26.425|50.08|
Al Jalawiyah|الجلوية|26.43|50.07|
An Nur|النور|26.43|50.05|
Uhud|أحد|26.4|50.02|
Al Hamra|الحمراء|26.47|50.09|
Al Muraikabat|المريكبات|26.42|50.06|
Ar Rayyan|الريان|26.4|50.09|
Taibah|طيبة|26.39|50.02|
Dahiyat Al Malik Fahd|ضاحية الملك فهد|26.37|50.03|king fahd suburb

# Khobar
Al Olaya|العليا|26.3|50.19|
Al Aqrabiyah|العقربية|26.29|50.18|
Ar Rakah|الراكة|26.35|50.195|
Al Yarmuk|اليرموك|26.31|50.21|
Al Khuzama|الخزامى|26.25|50.195|
At Thuqbah|الثقبة|26.275|50.19|
Al Bandariyah|البندرية|26.29|50.205|
Al Hizam Al Akhdar|الحزام الأخضر|26.3|50.205|
Al Hizam Adh Dhahabi|الحزام الذهبي|26.32|50.2|
Al Aziziyah|العزيزية|26.19|50.2|

# Hofuf
Al Khalidiyah|الخالدية|25.37|49.58|
As Salmaniyah|السلمانية|25.36|49.56|

# Buraydah
As Safra|الصفراء|26.35|43.96|
Ar Rayyan|الريان|26.36|43.95|
Al Iskan|الإسكان|26.34|43.94|

# Abha
Al Manhal|المنهل|18.23|42.52|
Al Muwazzafin|الموظفين|18.24|42.53|
As Sudah|السودة|18.27|42.37|

# Tabuk
Al Muruj|المروج|28.41|36.55|
Al Faisaliyah|الفيصلية|28.38|36.56|
Al Wurud|الورود|28.4|36.58|
`;
