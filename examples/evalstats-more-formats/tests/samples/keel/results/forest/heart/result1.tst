@relation heart
@attribute x real [0.0,1.0]
@attribute class {a,b}
@inputs x
@outputs class
@data
a a
b a
a a
b b
a a
b b
a a
b b
a a
b b
a a
b a
a a
b b
a a
b a
a b
b a
a b
b b
