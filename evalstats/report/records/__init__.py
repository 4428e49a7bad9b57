"""How is each record said, but comparisons?"""
